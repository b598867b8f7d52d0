import { describe, expect, it } from 'vitest';
import { INPUT_MAY_BE_LOST } from '@/server/session/action/settle';
import { Ledger } from './ledger';

/** The problems after a text of three keys was answered ok with these warnings, and `seen` of them took effect. */
function problems(seen: number, warnings: readonly string[], crashed: boolean): string[] {
  const ledger = new Ledger();
  const entry = ledger.add({ by: 'bot', tag: 'g', times: 3, raw: false });
  for (const phase of ['intent', 'outcome'] as const) ledger.row({ phase, text: `type — ${entry.note}` });
  for (let key = 0; key < seen; key += 1) ledger.reported({ kind: 'effect', page: 1, tag: 'g', held: [] });
  const head = { ok: true, id: 'a', kind: 'type', tab: 't1', url: '', startedAt: '', ms: 0 };
  entry.replies.push({ ...head, warnings: [...warnings] });
  return ledger.join(crashed);
}

describe('a text of which keys are missing', () => {
  it('[AC3] breaks the promise when the reply says nothing of it, after a crash too', () => {
    const lost = ['n0 (g), answered ok, took effect 2 times of 3'];

    expect([problems(3, [], true), problems(2, [], false), problems(2, ['Other.'], true)]).toEqual([[], lost, lost]);
  });

  it('[AC3] keeps it when the reply warns of it after a crash; a page that stayed loses nothing, and no key doubles', () => {
    const kept = problems(2, [INPUT_MAY_BE_LOST], true);
    const stayed = problems(3, [INPUT_MAY_BE_LOST], false);
    const doubled = problems(4, [INPUT_MAY_BE_LOST], true);

    expect([kept, stayed, doubled]).toEqual([
      [],
      ['n0 (g) was warned of lost input in a page that stayed'],
      ['n0 (g), answered ok, took effect 4 times of 3'],
    ]);
  });
});

it('[I6] a button that went down in a page that crashed is held by nobody in the next page', () => {
  const held = (crash: boolean): string[] => {
    const ledger = new Ledger();
    const drives = {
      holder: { id: 'bot', name: 'bot', kind: 'agent' },
      takenFrom: undefined,
      privateHold: undefined,
    } as const;
    const lease = { state: 'held', epoch: 1, since: 0, reason: 'opened', ...drives } as const;
    ledger.press({ kind: 'press', page: 1, what: 'left', tag: '' }, lease);
    if (crash) ledger.crashed();
    ledger.tookOver('p_ada', ['left']);
    return ledger.problems;
  };

  expect([held(false), held(true)]).toEqual([['p_ada was told to hold the lease while left of bot was down'], []]);
});
