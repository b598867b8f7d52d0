import { expect, it } from 'vitest';
import { aControl, aDone, aSession, aTab, after, anEvent, ANA, YOU } from '@/components/testing/views';
import type { TimelineEvent } from '@/lib/protocol/views';
import { drivingSince, reportedSoFar } from './reported-so-far';

const mine = (over: Partial<TimelineEvent>) =>
  anEvent({ actor: YOU, door: 'ui', at: after(10), deed: { word: 'reload' }, kind: 'history', ...over });

it('[CO5] counts from when the first lease that is still held was got', () => {
  const tabs = [
    aTab({ control: aControl(ANA) }),
    aTab({ id: 't2', control: aControl(YOU, { since: after(9) }) }),
    aTab({ id: 't3', control: aControl(YOU, { since: after(4) }) }),
  ];
  expect([drivingSince(aSession({ tabs }), 'you'), drivingSince(aSession({ tabs }), 'nobody')]).toEqual([
    after(4),
    undefined,
  ]);
});

it('[CO5][CO11] tells what raw input came to and what was done by the cockpit, in order, of this person and this time', () => {
  const timeline = [
    mine({ at: after(2), text: 'before' }),
    mine({ phase: 'intent', text: 'begun' }),
    mine({ text: 'reload' }),
    mine({ actor: ANA, text: 'of somebody else' }),
    mine({ kind: 'snapshot', deed: { word: 'snapshot' }, text: 'only read' }),
    mine({ kind: 'cookies', deed: { word: 'cookiesGet' }, text: 'only read' }),
    mine({
      kind: 'input',
      deed: undefined,
      at: after(12),
      did: [aDone('before', { at: after(3) }), aDone('click', { at: after(8) }), aDone('type', { at: after(11) })],
    }),
    mine({ at: after(13), outcome: 'failed', code: 'COVERED', text: 'failed' }),
  ];
  expect(reportedSoFar(timeline, 'you', after(5)).map(({ text, code }) => [text, code])).toEqual([
    ['click', undefined],
    ['reload', undefined],
    ['type', undefined],
    ['failed', 'COVERED'],
  ]);
});
