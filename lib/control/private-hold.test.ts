import { describe, expect, it } from 'vitest';
import type { ControlEvent, Holder, LeaseMap } from './lease';
import { reduce } from './reduce';
import { privateHoldOf } from './rules';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const mod: Holder = { id: 'p2', name: 'Mod', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };

const open = (tab: string, opener?: string): ControlEvent => ({ type: 'tab-opened', tab, opener });
const take = (by: Holder, moderates = false): ControlEvent => ({
  type: 'take',
  tab: 't1',
  by,
  scope: 'session',
  moderates,
});
const hide = (by: Holder, reason = 'a code'): ControlEvent => ({ type: 'hide', tab: 't1', by, reason, until: 'ended' });
const show: ControlEvent = { type: 'show', tab: 't1', by: ada, why: 'ended' };
const lost: ControlEvent = { type: 'lost', participant: ada.id, until: 15_000, privateUntil: 300_000 };

function after(...events: ControlEvent[]): LeaseMap {
  return events.reduce<LeaseMap>((leases, event) => {
    const result = reduce(leases, event, 7);
    if (!result.ok) throw new Error(`${event.type}: ${result.refusal.said.code}`);
    return result.leases;
  }, new Map());
}

const refusal = (leases: LeaseMap, event: ControlEvent): string | undefined => {
  const result = reduce(leases, event, 9);
  return result.ok ? undefined : result.refusal.said.code;
};
const hidden = after(open('t1'), take(ada), hide(ada));
const privateHold = { by: ada, reason: 'a code', until: 'ended', since: 7 };

describe('holding privately', () => {
  it('[CO8] is for the person who drives; holder and epoch stay; it is announced first', () => {
    const driven = after(open('t1'), take(ada));
    const lease = { ...driven.get('t1'), privateHold };
    expect(reduce(driven, hide(ada), 7)).toEqual({
      ok: true,
      leases: new Map([['t1', lease]]),
      effects: [
        { type: 'private-hold', tab: 't1', privateHold },
        { type: 'changed', tab: 't1', change: 'hidden', by: ada, lease },
      ],
    });
  });

  it('[CO8] is refused to agents, to people who do not drive, and on a free tab', () => {
    expect(refusal(after(open('t1'), { type: 'take-free', tab: 't1', by: bot }), hide(bot))).toBe('privateForPeople');
    expect(refusal(after(open('t1'), { type: 'take-free', tab: 't1', by: bot }), hide(ada))).toBe('wheelHeld');
    expect(refusal(after(open('t1')), hide(ada))).toBe('privateUnheld');
  });

  it('[CO8] a second call replaces the reason and keeps the beginning', () => {
    expect(privateHoldOf(after(...[open('t1'), take(ada), hide(ada), hide(ada, 'the card')]).get('t1'))).toEqual({
      ...privateHold,
      reason: 'the card',
    });
  });

  it('[CO8] ends when its holder ends it, gives the lease up, or hands the page back or over', () => {
    const taken: ControlEvent[] = [
      open('t1'),
      { type: 'take-free', tab: 't1', by: bot },
      take(ada),
      { type: 'drained', tab: 't1', epoch: 3 },
      hide(ada),
    ];
    expect(after(...taken, show).get('t1')).toMatchObject({
      state: 'held',
      holder: ada,
      epoch: 4,
      privateHold: undefined,
    });
    expect(after(...taken, { type: 'hand-back', tab: 't1', by: ada }).get('t1')).toMatchObject({
      state: 'held',
      holder: bot,
      privateHold: undefined,
    });
    expect(
      privateHoldOf(after(...taken, { type: 'release', tab: 't1', by: ada, reason: 'released' }).get('t1')),
    ).toBeUndefined();
    const given = after(...taken, { type: 'hand-over', tab: 't1', by: ada, to: bot, scope: 'tab' });
    expect(given.get('t1')).toMatchObject({ state: 'draining', privateHold });
    expect(
      after(
        ...taken,
        { type: 'hand-over', tab: 't1', by: ada, to: bot, scope: 'tab' },
        { type: 'drained', tab: 't1', epoch: 5 },
      ).get('t1'),
    ).toMatchObject({ holder: bot, privateHold: undefined });
  });

  it('[CO8] cannot be taken by right: a moderator may ask, and the holder may answer', () => {
    expect(refusal(hidden, take(mod, true))).toBe('wheelPrivate');
    const asked = after(open('t1'), take(ada), hide(ada), { type: 'request', tab: 't1', by: mod, moderates: true });
    expect(asked.get('t1')).toMatchObject({ state: 'asked', privateHold, atEnd: 'stays' });
    expect(refusal(after(open('t1'), take(ada), take(mod, true)), hide(ada))).toBe('wheelUndeniable');
  });

  it('[CO8][AU4] of a guest is taken by right, is kept through the grace, and ends as the wheel passes', () => {
    const mia: Holder = { id: 'g_1', name: 'Guest: Mia', kind: 'human' };
    const held = after(open('t1'), take(mia), hide(mia));
    const warned = after(open('t1'), take(mia), hide(mia), take(mod, true));
    const asked = after(open('t1'), take(mia), hide(mia), { type: 'request', tab: 't1', by: mod, moderates: true });
    const passing = reduce(warned, { type: 'due', tab: 't1' }, 4_000);
    const drained = passing.ok && reduce(passing.leases, { type: 'drained', tab: 't1', epoch: 3 }, 4_001);

    expect(refusal(held, take(ada))).toBe('wheelPrivate');
    expect(warned.get('t1')).toMatchObject({ state: 'asked', atEnd: 'passes', privateHold: { by: mia } });
    expect(asked.get('t1')).toMatchObject({ state: 'asked', atEnd: 'passes', privateHold: { by: mia } });
    expect(refusal(warned, hide(mia))).toBe('wheelUndeniable');
    expect(passing.ok && passing.leases.get('t1')).toMatchObject({ state: 'draining', privateHold: { by: mia } });
    expect(drained && drained.ok && drained.leases.get('t1')).toMatchObject({ holder: mod, privateHold: undefined });
  });

  it('[CO8] reaches popups that its page opens', () => {
    expect(privateHoldOf(after(open('t1'), take(ada), hide(ada), open('t2', 't1')).get('t2'))).toEqual(privateHold);
  });

  it('[CO7] [CO8] outlives a lost connection for longer than a plain lease, and continues when its holder reconnects', () => {
    const parked = after(open('t1'), take(ada), hide(ada), lost);
    expect(parked.get('t1')).toMatchObject({ state: 'parked', privateHold, until: 300_000 });
    expect(refusal(parked, { type: 'take-free', tab: 't1', by: bot })).toBe('wheelPrivate');
    const back = reduce(parked, { type: 'back', participant: ada.id }, 9);
    expect(back.ok && back.leases.get('t1')).toMatchObject({ state: 'held', holder: ada, privateHold });
  });

  it.each<[string, ControlEvent]>([
    ['does not come back', { type: 'due', tab: 't1' }],
    ['is signed out', { type: 'left', participant: ada.id, why: 'signed out' }],
  ])('[CO7] [CO8] of somebody who %s goes with its page: nobody has it before the page is gone', (_, event) => {
    const parked = after(open('t1'), take(ada), hide(ada), lost);
    const result = reduce(parked, event, 300_001);
    expect(result.ok && result.effects.at(-1)).toEqual({ type: 'clear', tab: 't1', epoch: 3 });
    const leaving = result.ok ? result.leases : parked;
    expect(leaving.get('t1')).toMatchObject({ state: 'draining', from: ada, to: undefined, privateHold });
    expect(refusal(leaving, { type: 'take-free', tab: 't1', by: bot })).toBe('wheelPrivate');
    const gone = reduce(leaving, { type: 'drained', tab: 't1', epoch: 3 }, 300_002);
    expect(gone.ok && gone.leases.get('t1')).toMatchObject({ state: 'free', epoch: 4 });
  });
});
