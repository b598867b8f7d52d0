import { describe, expect, it } from 'vitest';
import type { ControlEvent, ControlResult, Holder, LeaseMap } from './lease';
import { reduce } from './reduce';
import { fence } from './rules';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const bee: Holder = { id: 'a2', name: 'Bee', kind: 'agent' };

const open = (tab: string): ControlEvent => ({ type: 'tab-opened', tab, opener: undefined });
const takeFree = (tab: string, by: Holder): ControlEvent => ({ type: 'take-free', tab, by });
const request = (by: Holder, moderates = false): ControlEvent => ({ type: 'request', tab: 't1', by, moderates });
const take = (by: Holder, moderates = false): ControlEvent => ({
  type: 'take',
  tab: 't1',
  by,
  scope: 'session',
  moderates,
});
const grant = (by: Holder, scope: 'session' | 'tab' = 'session'): ControlEvent => ({
  type: 'grant',
  tab: 't1',
  by,
  scope,
});
const handOver = (by: Holder, to: Holder): ControlEvent => ({ type: 'hand-over', tab: 't1', by, to, scope: 'session' });
const deny = (by: Holder): ControlEvent => ({ type: 'deny', tab: 't1', by });
const due: ControlEvent = { type: 'due', tab: 't1' };
const drained = (epoch: number): ControlEvent => ({ type: 'drained', tab: 't1', epoch });

function after(...events: ControlEvent[]): LeaseMap {
  return events.reduce<LeaseMap>((leases, event) => {
    const result = reduce(leases, event, 0);
    if (!result.ok) throw new Error(`${event.type}: ${result.refusal.said.code}`);
    return result.leases;
  }, new Map());
}

const drivenBy = (holder: Holder): ControlEvent[] => [
  open('t1'),
  open('t2'),
  takeFree('t1', holder),
  takeFree('t2', holder),
];
const changes = (result: ControlResult): string[] =>
  result.ok
    ? result.effects.flatMap((effect) =>
        effect.type === 'changed' ? [`${effect.tab} ${effect.change} ${effect.by?.name ?? ''}`] : [],
      )
    : [];
const refusal = (events: ControlEvent[], event: ControlEvent): unknown => {
  const result = reduce(after(...events), event, 0);
  return result.ok ? undefined : [result.refusal.code, result.refusal.said.code];
};

describe('asking for the lease', () => {
  it('[CO4] shows who asks and until when; the holder drives on at the same epoch', () => {
    const leases = after(...drivenBy(ada), request(bot));
    expect(leases.get('t1')).toEqual({
      state: 'asked',
      epoch: 2,
      since: 0,
      reason: 'first to act',
      holder: ada,
      takenFrom: undefined,
      asker: bot,
      until: 5_000,
      atEnd: 'stays',
    });
    expect([fence(leases.get('t1'), ada.id, 2), fence(leases.get('t1'), bot.id, 2)?.code]).toEqual([
      undefined,
      'CONTROL_LOST',
    ]);
  });

  it('[CO4] gives a free tab at once; asking for one’s own tab changes nothing', () => {
    expect(after(open('t1'), request(bot)).get('t1')).toMatchObject({ state: 'held', holder: bot });
    expect(after(...drivenBy(ada), request(ada)).get('t1')).toMatchObject({ state: 'held', holder: ada });
  });

  it("[CO4] passes all tabs of the holder, or the one tab; first the holder's actions are ended", () => {
    const all = reduce(after(...drivenBy(ada), request(bot)), grant(ada), 9);
    expect(all).toMatchObject({
      ok: true,
      effects: expect.arrayContaining([
        { type: 'drain', tab: 't1', holder: ada, by: bot, epoch: 3 },
        { type: 'drain', tab: 't2', holder: ada, by: bot, epoch: 3 },
      ]),
    });
    expect(changes(all)).toEqual(['t1 giving Ada', 't2 giving Ada']);
    expect(after(...drivenBy(ada), request(bot), grant(ada), drained(3)).get('t1')).toMatchObject({
      state: 'held',
      epoch: 4,
      holder: bot,
      takenFrom: undefined,
      reason: 'given',
    });
    const one = after(...drivenBy(ada), request(bot), grant(ada, 'tab'));
    expect([one.get('t1')?.state, one.get('t2')?.state]).toEqual(['draining', 'held']);
  });

  it('[CO4] may be denied, or is not answered in time: the holder keeps the lease', () => {
    const denied = reduce(after(...drivenBy(ada), request(bot)), deny(ada), 9);
    expect([changes(denied), denied.ok && denied.leases.get('t1')]).toMatchObject([
      ['t1 denied Ada'],
      { state: 'held', epoch: 2, holder: ada },
    ]);
    const asked = after(...drivenBy(ada), request(bot));
    expect(reduce(asked, due, 4_999)).toEqual({ ok: true, leases: asked, effects: [] });
    const late = reduce(asked, due, 5_000);
    expect([changes(late), late.ok && late.leases.get('t1')]).toMatchObject([
      ['t1 unanswered Bot'],
      { state: 'held', epoch: 2, holder: ada },
    ]);
  });

  it('[CO4] of an agent by a person, or of a person by a moderator, passes when its time is over and cannot be denied', () => {
    for (const [holder, asker, moderates] of [
      [bot, ada, false],
      [ada, ben, true],
    ] as const) {
      const leases = after(...drivenBy(holder), request(asker, moderates));
      expect(reduce(leases, due, 5_000)).toMatchObject({
        ok: true,
        effects: [
          { change: 'taking', by: asker },
          { type: 'drain', tab: 't1', holder, by: asker, epoch: 3 },
        ],
      });
      expect(refusal([...drivenBy(holder), request(asker, moderates)], deny(holder))).toEqual([
        'CONFLICT',
        'wheelUndeniable',
      ]);
    }
  });

  it('[CO4] allows one request at a time: a second asker is told of the first, and a person replaces an agent', () => {
    expect(refusal([...drivenBy(ada), request(bot)], request(bee))).toEqual(['CONTROL_HELD', 'wheelAskedBefore']);
    expect(refusal([...drivenBy(ada), request(ben)], request(bee))).toEqual(['CONTROL_HELD', 'wheelAskedBefore']);
    expect(after(...drivenBy(ada), request(bot), request(ben)).get('t1')).toMatchObject({ state: 'asked', asker: ben });
    const again = after(...drivenBy(ada), request(bot));
    expect(reduce(again, request(bot), 3_000)).toEqual({ ok: true, leases: again, effects: [] });
  });

  it.each<[string, ControlEvent]>([
    ['takes it back', { type: 'release', tab: 't1', by: bot, reason: 'released' }],
    ['leaves', { type: 'left', participant: bot.id, why: 'left' }],
    ['loses the connection', { type: 'lost', participant: bot.id, until: 9 }],
  ])('[CO7] ends when the asker %s', (_, event) => {
    expect(after(...drivenBy(ada), request(bot), event).get('t1')).toMatchObject({
      state: 'held',
      holder: ada,
      epoch: 2,
    });
  });

  it('[CO4] is answered by the holder only, and only when there is a question', () => {
    expect([
      refusal([...drivenBy(ada), request(bot)], grant(ben)),
      refusal([...drivenBy(ada), request(bot)], deny(bot)),
    ]).toEqual([
      ['CONTROL_HELD', 'wheelHeld'],
      ['CONTROL_HELD', 'wheelHeld'],
    ]);
    expect([refusal(drivenBy(ada), grant(ada)), refusal(drivenBy(ada), deny(ada))]).toEqual([
      ['CONFLICT', 'wheelUnasked'],
      ['CONFLICT', 'wheelUnasked'],
    ]);
  });
});

describe('taking by right', () => {
  it('[CO4] a moderator takes from a person after a visible grace period; others cannot', () => {
    const leases = after(...drivenBy(ada), take(ben, true));
    expect(leases.get('t1')).toMatchObject({ state: 'asked', holder: ada, asker: ben, until: 3_000, atEnd: 'passes' });
    expect(leases.get('t2')).toMatchObject({ state: 'held', holder: ada });
    expect(reduce(leases, due, 3_000)).toMatchObject({
      ok: true,
      effects: [{ change: 'taking' }, { type: 'drain', holder: ada, by: ben }],
    });
    expect(refusal(drivenBy(ada), take(ben))).toEqual(['CONTROL_HELD', 'wheelHeld']);
    expect(refusal(drivenBy(ada), take(bot, true))).toEqual(['CONTROL_HELD', 'wheelHeld']);
  });

  it('[CO4] replaces a request; taking again does not restart the grace period', () => {
    const leases = after(...drivenBy(ada), request(bot), take(ben, true));
    expect(leases.get('t1')).toMatchObject({ asker: ben, atEnd: 'passes' });
    expect(reduce(leases, take(ben, true), 2_000)).toEqual({ ok: true, leases, effects: [] });
  });
});

describe('handing over', () => {
  it('[CO4] passes to the participant that the holder names; a person among them can hand back to the agent that drove before', () => {
    const leases = after(...drivenBy(bot), take(ada), drained(3), handOver(ada, ben), drained(5));
    expect(leases.get('t1')).toMatchObject({ state: 'held', epoch: 6, holder: ben, takenFrom: bot, reason: 'given' });
    expect(after(...drivenBy(bot), handOver(bot, ada), drained(3)).get('t1')).toMatchObject({
      holder: ada,
      takenFrom: bot,
    });
  });

  it('[CO4] is for the holder only', () => {
    expect(refusal(drivenBy(ada), handOver(ben, bot))).toEqual(['CONTROL_HELD', 'wheelHeld']);
    expect(refusal([open('t1')], handOver(ben, bot))).toEqual(['CONFLICT', 'wheelUnclaimed']);
  });

  it('[CO3] a person takes a lease that is passing to an agent', () => {
    expect(after(...drivenBy(ada), handOver(ada, bot), take(ben), drained(3)).get('t1')).toMatchObject({
      state: 'held',
      holder: ben,
      takenFrom: bot,
    });
  });
});

describe('giving up a tab while input is on its way to its page', () => {
  const busy = new Set(['t1']);
  const taken = [
    open('t1'),
    open('t2'),
    takeFree('t1', bot),
    takeFree('t2', bot),
    take(ada),
    drained(3),
    { ...drained(3), tab: 't2' },
  ];
  const give = (event: ControlEvent): ControlResult => reduce(after(...taken), event, 9, busy);
  const through = (result: ControlResult): unknown => {
    if (!result.ok) return result.refusal;
    const end = reduce(result.leases, drained(5), 20);
    return end.ok && [end.leases.get('t1'), changes(end)];
  };

  it('[CO5] a hand-back blocks all writes until the input is acknowledged; then the agent holds the tab, and the change is announced once', () => {
    const given = give({ type: 'hand-back', tab: 't1', by: ada });
    expect(given).toMatchObject({
      ok: true,
      effects: expect.arrayContaining([{ type: 'drain', tab: 't1', holder: ada, by: bot, epoch: 5 }]),
    });
    expect([changes(given), given.ok && [...given.leases.values()].map(({ state, epoch }) => [state, epoch])]).toEqual([
      ['t1 handed-back Ada', 't2 handed-back Ada'],
      [
        ['draining', 5],
        ['held', 5],
      ],
    ]);
    expect(through(given)).toMatchObject([
      { state: 'held', epoch: 6, holder: bot, takenFrom: undefined, reason: 'handed back' },
      ['t1 given Ada'],
    ]);
  });

  it.each<[string, ControlEvent, string]>([
    ['letting go', { type: 'release', tab: 't1', by: ada, reason: 'released' }, 'released'],
    ['leaving', { type: 'left', participant: ada.id, why: 'left' }, 'left'],
  ])('[CO7] by %s: it is free when that is through', (_, event, reason) => {
    const given = give(event);
    expect(given.ok && given.leases.get('t1')).toMatchObject({ state: 'draining', from: ada, to: undefined });
    expect(through(given)).toMatchObject([{ state: 'free', epoch: 6, reason }, ['t1 given Ada']]);
  });

  it('[CO4] can be taken back before that; the agent to hand back to stays known', () => {
    const given = give({ type: 'hand-back', tab: 't1', by: ada });
    const again = given.ok && reduce(given.leases, take(ada), 10);
    expect(again && through(again)).toMatchObject([
      { state: 'held', holder: ada, takenFrom: bot },
      ['t1 handed-back '],
    ]);
  });
});

describe('an agent whose key has ended', () => {
  const ended = (who: Holder): ControlEvent => ({ type: 'left', participant: who.id, why: 'signed out' });
  const handBack: ControlEvent = { type: 'hand-back', tab: 't1', by: ada };
  const taken = [...drivenBy(bot), take(ada), drained(3), { ...drained(3), tab: 't2' }];

  it('[CO5][R3] gets no tab back from the person who took the lease: all become free, and everybody is told why', () => {
    const forgot = reduce(after(...taken), ended(bot), 0);
    const leases = after(...taken, ended(bot), handBack);

    expect(changes(forgot)).toEqual(['t1 forgotten Bot', 't2 forgotten Bot']);
    expect(after(...taken, ended(bot)).get('t1')).toMatchObject({ state: 'held', holder: ada, takenFrom: undefined });
    expect([leases.get('t1'), leases.get('t2')]).toMatchObject([{ state: 'free' }, { state: 'free' }]);
  });

  it('[CO5][R3] nor while its last action is still being ended', () => {
    const half = [...drivenBy(bot), take(ada), ended(bot), handBack];

    expect(after(...half).get('t1')).toMatchObject({ state: 'draining', to: undefined });
    expect(after(...half, drained(3)).get('t1')).toMatchObject({ state: 'free' });
  });

  it('[CO4][R3] asks for it no more either', () => {
    const leases = after(...taken, request(bot), ended(bot));

    expect(leases.get('t1')).toMatchObject({ state: 'held', holder: ada, takenFrom: undefined });
  });

  it('[CO5] an agent that is only idle gets the tab back', () => {
    const leases = after(...taken, { type: 'left', participant: bot.id, why: 'idle' }, ended(bee), handBack);

    expect(leases.get('t1')).toMatchObject({ state: 'held', holder: bot });
  });
});
