import { describe, expect, it } from 'vitest';
import type { ControlEvent, ControlResult, Holder, Lease, LeaseMap } from './lease';
import { reduce } from './reduce';
import { fence, mayHelp } from './rules';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const bee: Holder = { id: 'a2', name: 'Bee', kind: 'agent' };

const open = (tab: string, opener?: string): ControlEvent => ({ type: 'tab-opened', tab, opener });
const takeFree = (tab: string, by: Holder): ControlEvent => ({ type: 'take-free', tab, by });
const take = (tab: string, by: Holder, scope: 'session' | 'tab' = 'session'): ControlEvent => ({
  type: 'take',
  tab,
  by,
  scope,
});
const handBack = (tab: string, by: Holder): ControlEvent => ({ type: 'hand-back', tab, by });
const release = (tab: string, by: Holder) => ({ type: 'release', tab, by, reason: 'released' }) as const;
const left = (holder: Holder): ControlEvent => ({ type: 'left', participant: holder.id, why: 'left' });
const drained = (tab: string, epoch: number): ControlEvent => ({ type: 'drained', tab, epoch });

/** The leases after these events; each one must be accepted. */
function after(...events: ControlEvent[]): LeaseMap {
  return events.reduce<LeaseMap>((leases, event) => {
    const result = reduce(leases, event, 0);
    if (!result.ok) throw new Error(`${event.type}: ${result.refusal.said.code}`);
    return result.leases;
  }, new Map());
}

const leaseAfter = (tab: string, ...events: ControlEvent[]): Lease | undefined => after(...events).get(tab);
const refusalOf = (
  leases: LeaseMap,
  event: ControlEvent,
): Extract<ControlResult, { ok: false }>['refusal'] | undefined => {
  const result = reduce(leases, event, 0);
  return result.ok ? undefined : result.refusal;
};

describe('a free tab', () => {
  it('[CO10] goes to the first participant who acts, by name and with a new epoch', () => {
    expect(reduce(after(open('t1')), takeFree('t1', bot), 7)).toEqual({
      ok: true,
      leases: new Map([
        ['t1', { state: 'held', epoch: 2, since: 7, reason: 'first to act', holder: bot, takenFrom: undefined }],
      ]),
      effects: [
        { type: 'changed', tab: 't1', change: 'claimed', by: bot, lease: expect.objectContaining({ holder: bot }) },
      ],
    });
  });

  it('[CO1] a free one is taken once: the second is refused by name', () => {
    expect(refusalOf(after(open('t1'), takeFree('t1', bot)), takeFree('t1', bee))).toEqual({
      code: 'CONTROL_HELD',
      said: { code: 'wheelHeld', name: 'Bot' },
    });
    expect(refusalOf(after(open('t1'), takeFree('t1', bot)), take('t1', bee))).toEqual({
      code: 'CONTROL_HELD',
      said: { code: 'wheelHeld', name: 'Bot' },
    });
  });

  it('[CO2] stays as it is when its holder takes it again', () => {
    const leases = after(open('t1'), takeFree('t1', bot));
    expect(reduce(leases, takeFree('t1', bot), 9)).toEqual({ ok: true, leases, effects: [] });
  });

  it('[SE2] that is opened a second time keeps its lease', () => {
    const leases = after(open('t1'), takeFree('t1', bot));
    expect(reduce(leases, open('t1'), 9)).toEqual({ ok: true, leases, effects: [] });
  });

  it('[CO1] that does not exist is TAB_NOT_FOUND', () => {
    for (const event of [takeFree('t9', bot), take('t9', ada), release('t9', ada), handBack('t9', ada)])
      expect(refusalOf(after(open('t1')), event)?.code).toBe('TAB_NOT_FOUND');
  });
});

describe('taking the lease', () => {
  const driven = [open('t1'), open('t2'), open('t3'), takeFree('t1', bot), takeFree('t2', bee)];

  it('[CO3] drains the agent first and then gives the lease, releases its keys and tells everybody', () => {
    const taken = reduce(after(open('t1'), takeFree('t1', bot)), take('t1', ada), 5);
    const lease = {
      state: 'draining',
      epoch: 3,
      since: 5,
      reason: 'taken',
      from: bot,
      to: ada,
      back: bot,
      given: false,
    };
    expect(taken).toEqual({
      ok: true,
      leases: new Map([['t1', lease]]),
      effects: [
        { type: 'changed', tab: 't1', change: 'taking', by: ada, lease },
        { type: 'drain', tab: 't1', holder: bot, by: ada, epoch: 3 },
      ],
    });
    const held = { state: 'held', epoch: 4, since: 8, reason: 'taken', holder: ada, takenFrom: bot };
    expect(taken.ok && reduce(taken.leases, drained('t1', 3), 8)).toEqual({
      ok: true,
      leases: new Map([['t1', held]]),
      effects: [
        { type: 'release-input', tab: 't1' },
        { type: 'changed', tab: 't1', change: 'taken', by: ada, lease: held },
      ],
    });
  });

  it('[CO1] covers the whole session, unless narrowed to the tab', () => {
    const all = after(...driven, take('t1', ada));
    expect([...all.values()].map((lease) => lease.state)).toEqual(['draining', 'draining', 'held']);
    const one = after(...driven, take('t1', ada, 'tab'));
    expect([...one.values()].map((lease) => lease.state)).toEqual(['draining', 'held', 'free']);
  });

  it('[CO4] leaves tabs of other people alone', () => {
    const leases = after(...driven, takeFree('t3', ben), take('t1', ada));
    expect(leases.get('t3')).toMatchObject({ state: 'held', holder: ben });
    expect(refusalOf(leases, take('t3', ada))).toEqual({
      code: 'CONTROL_HELD',
      said: { code: 'wheelHeld', name: 'Ben' },
    });
  });

  it('[CO4] when two take at once, the first wins and the second is told', () => {
    const leases = after(...driven, take('t1', ada));
    expect(refusalOf(leases, take('t1', ben))).toEqual({
      code: 'CONTROL_HELD',
      said: { code: 'wheelPassingTo', name: 'Ada' },
    });
    expect(reduce(leases, take('t1', ada), 9)).toEqual({ ok: true, leases, effects: [] });
  });

  it('[CO3] an outdated drain, or that of a closed tab, does nothing', () => {
    const leases = after(...driven, take('t1', ada));
    for (const event of [drained('t1', 2), drained('t1', 4), drained('t3', 2), drained('t9', 1)])
      expect(reduce(leases, event, 9)).toEqual({ ok: true, leases, effects: [] });
  });

  it('[CO3] an agent cannot take from anybody, a person only from agents', () => {
    expect(refusalOf(after(open('t1'), takeFree('t1', ada)), take('t1', bot))?.code).toBe('CONTROL_HELD');
    expect(leaseAfter('t1', open('t1'), take('t1', bot))).toMatchObject({ state: 'held', holder: bot });
  });
});

describe('popups', () => {
  it('[SE2] inherit the holder and the agent to hand back to', () => {
    const leases = after(open('t1'), takeFree('t1', bot), take('t1', ada), drained('t1', 3), open('t2', 't1'));
    expect(leases.get('t2')).toMatchObject({
      state: 'held',
      epoch: 1,
      holder: ada,
      takenFrom: bot,
      reason: 'opened by the holder',
    });
  });

  it('[CO1] opened while the lease passes belong to the new holder', () => {
    expect(leaseAfter('t2', open('t1'), takeFree('t1', bot), take('t1', ada), open('t2', 't1'))).toMatchObject({
      state: 'held',
      holder: ada,
      takenFrom: bot,
    });
  });

  it('[SE2] are free when opened by a free, an unknown or a closed tab', () => {
    expect(leaseAfter('t2', open('t1'), open('t2', 't1'))).toMatchObject({ state: 'free' });
    expect(leaseAfter('t2', open('t2', 't9'))).toMatchObject({ state: 'free' });
    expect(
      leaseAfter('t2', open('t1'), takeFree('t1', bot), { type: 'tab-closed', tab: 't1' }, open('t2', 't1')),
    ).toMatchObject({ state: 'free' });
  });
});

describe('giving the lease back', () => {
  const taken = [open('t1'), open('t2'), takeFree('t1', bot), take('t1', ada), drained('t1', 3)];

  it('[CO5] returns it to the agent, in every tab, with held keys released', () => {
    const result = reduce(after(...taken), handBack('t1', ada), 9);
    expect(result).toMatchObject({
      ok: true,
      effects: [
        { type: 'release-input', tab: 't1' },
        { type: 'changed', tab: 't1', change: 'handed-back', by: ada },
        { type: 'release-input', tab: 't2' },
        { type: 'changed', tab: 't2' },
      ],
    });
    for (const lease of result.ok ? result.leases.values() : [])
      expect(lease).toMatchObject({ state: 'held', holder: bot, takenFrom: undefined, reason: 'handed back' });
  });

  it('[CO5] returns each tab to the agent it was taken from', () => {
    const both = after(
      open('t1'),
      open('t2'),
      takeFree('t1', bot),
      takeFree('t2', bee),
      take('t1', ada),
      drained('t1', 3),
      drained('t2', 3),
      handBack('t2', ada),
    );
    expect(both.get('t1')).toMatchObject({ holder: bot });
    expect(both.get('t2')).toMatchObject({ holder: bee });
  });

  it('[CO5] reaches tabs that are still draining: they go back when that is done', () => {
    const leases = after(
      open('t1'),
      open('t2'),
      takeFree('t1', bot),
      takeFree('t2', bee),
      take('t1', ada),
      drained('t1', 3),
      handBack('t1', ada),
    );
    expect(leases.get('t2')).toMatchObject({ state: 'draining', to: bee });
    expect(reduce(leases, drained('t2', 3), 9)).toMatchObject({
      ok: true,
      effects: [
        { type: 'release-input' },
        {
          type: 'changed',
          change: 'handed-back',
          by: undefined,
          lease: { state: 'held', epoch: 4, holder: bee, takenFrom: undefined },
        },
      ],
    });
  });

  it('[CO5] frees a tab that was not taken from anybody', () => {
    expect(leaseAfter('t1', open('t1'), take('t1', ada), handBack('t1', ada))).toMatchObject({
      state: 'free',
      reason: 'handed back',
    });
  });

  it('[CO5] is for the holder only', () => {
    expect(refusalOf(after(...taken), handBack('t1', ben))).toEqual({
      code: 'CONTROL_HELD',
      said: { code: 'wheelHeld', name: 'Ada' },
    });
    expect(refusalOf(after(open('t1')), handBack('t1', ada))?.code).toBe('CONFLICT');
  });
});

describe('letting go', () => {
  const draining = [open('t1'), takeFree('t1', bot), take('t1', ada)];

  it('[CO7] frees the tab, keys released', () => {
    expect(reduce(after(open('t1'), takeFree('t1', bot)), release('t1', bot), 9)).toMatchObject({
      ok: true,
      effects: [
        { type: 'release-input', tab: 't1' },
        { type: 'changed', change: 'released', by: bot, lease: { state: 'free', epoch: 3, reason: 'released' } },
      ],
    });
    expect(refusalOf(after(open('t1'), takeFree('t1', bot)), release('t1', ada))?.code).toBe('CONTROL_HELD');
  });

  it('[CO1] letting go of the session frees every tab that one has: the tabs of a session-wide take, popups too', () => {
    const all = after(
      open('t1'),
      takeFree('t1', bot),
      open('t2', 't1'),
      open('t3'),
      take('t1', ada),
      takeFree('t3', ada),
    );
    const taken = [...all.keys()].reduce((leases, tab) => {
      const result = reduce(leases, drained(tab, 3), 0);
      const popup = result.ok && reduce(result.leases, drained(tab, 2), 0);
      return popup && popup.ok ? popup.leases : leases;
    }, all);
    const freed = (scope: 'tab' | 'session') => {
      const result = reduce(taken, { ...release('t1', ada), scope }, 9);
      return result.ok && [...result.leases.values()].map(({ state }) => state);
    };
    expect([freed('tab'), freed('session')]).toEqual([
      ['free', 'held', 'held'],
      ['free', 'free', 'free'],
    ]);
  });

  it('[F1] a new Chrome cancels drains and keeps every lease', () => {
    const before = [open('t1'), open('t2'), takeFree('t1', bot), takeFree('t2', ada), take('t1', ada)];
    const leases = after(...before, { type: 'renewed' });

    expect([leases.get('t1'), after(...before).get('t1')]).toMatchObject([
      { state: 'draining', epoch: 3 },
      { state: 'draining', epoch: 3 },
    ]);
    expect(leases.get('t2')).toEqual({ ...after(...before).get('t2'), epoch: 3 });
  });

  it("[CO7] a lost connection parks the person's tabs at the same epoch: no other may write; reconnecting, acting or taking ends that", () => {
    const held = [open('t1'), open('t2'), takeFree('t1', ada), takeFree('t2', ben)];
    const parked = after(...held, { type: 'lost', participant: ada.id, until: 15_000 });
    expect([parked.get('t1'), parked.get('t2')]).toMatchObject([
      { state: 'parked', holder: ada, epoch: 2, until: 15_000 },
      { holder: ben, epoch: 2 },
    ]);
    expect(fence(parked.get('t1'), ada.id, 2)).toBeUndefined();
    expect(fence(parked.get('t1'), bot.id, 2)).toMatchObject({ code: 'CONTROL_LOST' });
    for (const event of [{ type: 'back', participant: ada.id } as const, takeFree('t1', ada), take('t1', ada)]) {
      expect(after(...held, { type: 'lost', participant: ada.id, until: 15_000 }, event).get('t1')).toMatchObject({
        state: 'held',
        holder: ada,
        epoch: 2,
      });
    }
  });

  it('[CO7] leaving frees every tab of the person who left, and no other', () => {
    const leases = after(
      open('t1'),
      open('t2'),
      open('t3'),
      takeFree('t1', bot),
      takeFree('t2', bee),
      takeFree('t3', bot),
      left(bot),
    );
    expect([...leases.values()].map((lease) => lease.state)).toEqual(['free', 'held', 'free']);
  });

  it.each([
    ['leaving', left(ada)],
    ['letting go', release('t1', ada)],
  ])('[CO7] %s before the lease has changed hands frees the tab once it is drained, not before', (_, event) => {
    const leases = after(...draining, event);
    expect(leases.get('t1')).toMatchObject({ state: 'draining', epoch: 3, from: bot, to: undefined });
    expect(refusalOf(leases, takeFree('t1', bee))).toEqual({ code: 'CONTROL_HELD', said: { code: 'wheelPassing' } });
    expect(after(...draining, event, drained('t1', 3)).get('t1')).toMatchObject({ state: 'free', epoch: 4 });
  });

  it('[CO4] a tab that its holder gave up while draining can be taken', () => {
    expect(leaseAfter('t1', ...draining, left(ada), take('t1', ben), drained('t1', 3))).toMatchObject({
      state: 'held',
      holder: ben,
      takenFrom: bot,
    });
  });

  it('[CO1] a closed tab is forgotten', () => {
    expect(after(...draining, { type: 'tab-closed', tab: 't1' })).toEqual(new Map());
  });
});

describe('fence', () => {
  const held = leaseAfter('t1', open('t1'), takeFree('t1', bot));

  it('[CO2] lets the holder write at the current epoch', () => {
    expect(fence(held, bot.id, 2)).toBeUndefined();
  });

  it.each<[string, Lease | undefined, string, number, string]>([
    ['an older epoch', held, bot.id, 1, 'CONTROL_LOST'],
    ['another participant', held, bee.id, 2, 'CONTROL_LOST'],
    ['a free tab', leaseAfter('t1', open('t1')), bot.id, 1, 'CONTROL_LOST'],
    [
      'the loser while draining',
      leaseAfter('t1', open('t1'), takeFree('t1', bot), take('t1', ada)),
      bot.id,
      3,
      'CONTROL_LOST',
    ],
    [
      'the winner while draining',
      leaseAfter('t1', open('t1'), takeFree('t1', bot), take('t1', ada)),
      ada.id,
      3,
      'CONTROL_LOST',
    ],
    ['a closed tab', undefined, bot.id, 2, 'TAB_NOT_FOUND'],
  ])('[CO2] refuses %s', (_, lease, actor, epoch, code) => {
    expect(fence(lease, actor, epoch)).toMatchObject({ code });
  });

  it('[CO2] names the holder to others', () => {
    expect(
      fence(leaseAfter('t1', open('t1'), takeFree('t1', bot), take('t1', ada), drained('t1', 3)), bot.id, 2)?.said,
    ).toEqual({ code: 'wheelNow', name: 'Ada' });
  });
});

describe('mayHelp', () => {
  it.each<[string, Lease | undefined, Holder, string | undefined]>([
    ['a person where an agent holds the lease', leaseAfter('t1', open('t1'), takeFree('t1', bot)), ada, undefined],
    ['anybody where nobody has it', leaseAfter('t1', open('t1')), bee, undefined],
    ['the holder', leaseAfter('t1', open('t1'), takeFree('t1', bot)), bot, undefined],
    ['another agent', leaseAfter('t1', open('t1'), takeFree('t1', bot)), bee, 'CONTROL_HELD'],
    ['anybody where a person has it', leaseAfter('t1', open('t1'), takeFree('t1', ada)), ben, 'CONTROL_HELD'],
    ['anybody once the tab is closed', undefined, ada, 'TAB_NOT_FOUND'],
  ])('[CO9] answers for %s', (_, lease, by, code) => {
    expect(mayHelp(lease, by)?.code).toBe(code);
  });
});

describe('a tab that its Chrome closed while it ended', () => {
  const lost: ControlEvent = { type: 'lost', participant: ada.id, until: 50 };
  const cases: [string, ControlEvent[], object][] = [
    ['nobody', [], { state: 'free', epoch: 2 }],
    [
      'its person, who hands it back to the same agent',
      [takeFree('t1', bot), take('t1', ada), drained('t1', 3)],
      { state: 'held', epoch: 5, holder: ada, takenFrom: bot },
    ],
    [
      'the one who was just getting it',
      [takeFree('t1', bot), take('t1', ada)],
      { state: 'held', epoch: 4, holder: ada, takenFrom: bot },
    ],
    [
      'one who is waited for, as long as before',
      [takeFree('t1', ada), lost],
      { state: 'parked', epoch: 3, holder: ada, until: 50 },
    ],
    [
      'one who is asked for it, but not any more',
      [takeFree('t1', ada), { type: 'request', tab: 't1', by: ben }],
      { state: 'held', epoch: 3, holder: ada },
    ],
    [
      'one who keeps it private',
      [takeFree('t1', ada), { type: 'hide', tab: 't1', by: ada, reason: 'a password', until: 'ended' }],
      { state: 'held', epoch: 3, holder: ada, privateHold: expect.objectContaining({ by: ada }) },
    ],
  ];
  it.each(cases)('[BR5][CO2] is again with %s, at a higher epoch', (_, events, expected) => {
    const before = after(open('t1'), ...events);
    const lease = before.get('t1');
    if (!lease) throw new Error('no lease');
    const again = reduce(new Map(), { type: 'tab-reopened', tab: 't1', lease }, 9);
    expect(again.ok && again.leases.get('t1')).toMatchObject(expected);
    expect(reduce(before, { type: 'tab-reopened', tab: 't1', lease }, 9)).toMatchObject({ leases: before });
  });
});
