import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlEffect, ControlEvent, Holder, Lease, LeaseMap } from './lease';
import { reduce } from './reduce';
import { privateHoldOf, fence, ownerOf } from './rules';

/**
 * CO4, CO1: random interleavings of everything that can happen to the leases of a session, checked after each event.
 */

const PEOPLE: readonly Holder[] = [
  { id: 'p1', name: 'Ada', kind: 'human' },
  { id: 'p2', name: 'Ben', kind: 'human' },
  { id: 'p3', name: 'Mod', kind: 'human' },
  { id: 'a1', name: 'Bot', kind: 'agent' },
  { id: 'a2', name: 'Bee', kind: 'agent' },
];
const TABS = ['t1', 't2', 't3'];
/** Milliseconds that pass between two events, at most. */
const PASSES_MS = 3_000;

const tab = fc.constantFrom(...TABS);
const by = fc.constantFrom(...PEOPLE);
const scope = fc.constantFrom('session' as const, 'tab' as const);
const who = fc.record({ tab, by });
const only = <T extends string>(type: T) => who.map((of) => ({ ...of, type }));
const scoped = <T extends string>(type: T) => fc.record({ type: fc.constant(type), tab, by, scope });
const event: fc.Arbitrary<ControlEvent> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('tab-opened' as const), tab, opener: fc.option(tab, { nil: undefined }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('tab-closed' as const), tab }) },
  { weight: 6, arbitrary: only('take-free') },
  { weight: 6, arbitrary: scoped('take').map((take) => ({ ...take, moderates: take.by.id === 'p3' })) },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('drained' as const), tab, epoch: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 5, arbitrary: only('request').map((asked) => ({ ...asked, moderates: asked.by.id === 'p3' })) },
  { weight: 3, arbitrary: scoped('grant') },
  { weight: 2, arbitrary: only('deny') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hand-over' as const), tab, by, to: by, scope }) },
  { weight: 3, arbitrary: only('hand-back') },
  { weight: 2, arbitrary: scoped('release').map((release) => ({ ...release, reason: 'released' })) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('due' as const), tab }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(by, fc.constantFrom('left' as const, 'signed out' as const))
      .map(([{ id }, why]) => ({ type: 'left' as const, participant: id, why })),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'renewed' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('lost' as const),
      participant: by.map(({ id }) => id),
      until: fc.integer({ min: 0, max: 90_000 }),
    }),
  },
  { weight: 5, arbitrary: only('hide').map((hide) => ({ ...hide, reason: 'a code', until: 'field' as const })) },
  { weight: 2, arbitrary: only('show').map((show) => ({ ...show, why: 'ended' as const })) },
  { weight: 2, arbitrary: by.map(({ id }) => ({ type: 'back' as const, participant: id })) },
);
/**
 * `own`: the answer, hand-over or drain comes from the tab's holder with the current epoch, not from any participant.
 * `unsettled`: tabs whose holder has unacknowledged input.
 */
const history = fc.array(
  fc.record({
    event,
    own: fc.boolean(),
    after: fc.nat(PASSES_MS),
    unsettled: fc.subarray(TABS).map((tabs) => new Set(tabs)),
  }),
  // Without `size` fast-check makes histories of about ten events.
  { maxLength: 60, size: 'max' },
);
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

interface Step {
  /** Whether a history begins with it. */
  readonly first: boolean;
  readonly before: LeaseMap;
  readonly after: LeaseMap;
  readonly event: ControlEvent;
  readonly accepted: boolean;
  readonly effects: readonly ControlEffect[];
  readonly now: number;
  readonly unsettled: ReadonlySet<string>;
}

function owned(event: ControlEvent, leases: LeaseMap): ControlEvent {
  const lease = 'tab' in event ? leases.get(event.tab) : undefined;
  if (!lease) return event;
  if (event.type === 'drained') return { ...event, epoch: lease.epoch };
  if (
    event.type === 'grant' ||
    event.type === 'deny' ||
    event.type === 'hand-over' ||
    event.type === 'hand-back' ||
    event.type === 'release' ||
    event.type === 'hide' ||
    event.type === 'show'
  )
    return { ...event, by: ownerOf(lease) ?? event.by };
  return event;
}

/** Plays a history. */
function play(events: History): readonly Step[] {
  let leases: LeaseMap = new Map();
  let now = 0;
  return events.map((given, index) => {
    now += given.after;
    const asked = given.own ? owned(given.event, leases) : given.event;
    const { unsettled } = given;
    const before = leases;
    const result = reduce(leases, asked, now, unsettled);
    if (result.ok) leases = result.leases;
    const effects = result.ok ? result.effects : [];
    return { first: index === 0, before, after: leases, event: asked, accepted: result.ok, effects, now, unsettled };
  });
}

const RUNS = { numRuns: 1_500, seed: Math.floor(Math.random() * 2 ** 31) };
/** Every rule is checked on the same histories: to make and play them takes longer than the checks. */
const histories = fc.sample(history, RUNS).map(play);

function holdsFor(check: (step: Step) => void): void {
  try {
    for (const steps of histories) steps.forEach(check);
  } catch (error) {
    // The same histories once more, so that fast-check finds a short one that breaks the rule.
    fc.assert(
      fc.property(history, (events) => play(events).forEach(check)),
      RUNS,
    );
    throw error;
  }
}

/** All participants who could write to the tab, given the best epoch that they can know. */
const writers = (lease: Lease): string[] =>
  PEOPLE.filter(({ id }) => fence(lease, id, lease.epoch) === undefined).map(({ id }) => id);

describe('leases under any interleaving', () => {
  it('[CO4] never let two participants write to one tab, and none while it drains', () => {
    holdsFor(({ after }) => {
      for (const lease of after.values()) expect(writers(lease)).toEqual('holder' in lease ? [lease.holder.id] : []);
    });
  });

  it('[CO1] [F1] increase the epoch by one when the writer changes or all pages are replaced, and never otherwise', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of after) {
        const old = before.get(id);
        if (!old) continue;
        const drains = (old.state === 'draining') !== (lease.state === 'draining');
        const anew = event.type === 'renewed' && old.state !== 'draining';
        expect(lease.epoch - old.epoch).toBe(anew || drains || writers(old)[0] !== writers(lease)[0] ? 1 : 0);
      }
    });
  });

  it('[CO2] refuse every epoch that was handed out before', () => {
    const old = new Map<string, { actor: string; epoch: number }[]>();
    holdsFor(({ before, after, event }) => {
      if (before.size === 0) old.clear();
      if (event.type === 'tab-closed') old.delete(event.tab);
      for (const [id, lease] of after) {
        const known = old.get(id) ?? [];
        for (const { actor, epoch } of known)
          if (epoch !== lease.epoch) expect(fence(lease, actor, epoch)?.code).toBe('CONTROL_LOST');
        if ('holder' in lease) old.set(id, [...known, { actor: lease.holder.id, epoch: lease.epoch }]);
      }
    });
  });

  it('[CO3] move on from draining only by its own epoch, or by closing the tab', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of before) {
        if (lease.state !== 'draining' || after.get(id)?.state === 'draining') continue;
        expect(event).toMatchObject(
          event.type === 'drained' ? { tab: id, epoch: lease.epoch } : { type: 'tab-closed', tab: id },
        );
      }
    });
  });

  it("[CO3] admit no new writer while the former writer's input is unacknowledged, however the former gives up the lease", () => {
    holdsFor(({ before, after, unsettled }) => {
      for (const [id, lease] of before) {
        const now = after.get(id);
        if (!('holder' in lease) || !now || !unsettled.has(id) || writers(now)[0] === lease.holder.id) continue;
        expect(now).toMatchObject({ state: 'draining', from: lease.holder, epoch: lease.epoch + 1 });
      }
    });
  });

  it('[CO4] take the lease from a person only by that person, after a time that was set, or by a moderator whose grace is over', () => {
    holdsFor(({ before, after, event, now }) => {
      for (const [id, lease] of before) {
        const owner = ownerOf(lease);
        if (owner?.kind !== 'human' || !after.has(id) || ownerOf(after.get(id) ?? lease)?.id === owner.id) continue;
        if (event.type !== 'due')
          expect('by' in event ? event.by.id : 'participant' in event ? event.participant : event.type).toBe(owner.id);
        else
          expect(lease).toSatisfy(
            (was: Lease) =>
              (was.state === 'parked' || (was.state === 'asked' && was.asker.id === 'p3' && was.atEnd === 'passes')) &&
              was.until <= now,
          );
      }
    });
  });

  it('[CO4] are taken by a person from an agent whenever asked, also in the middle of a change of hands', () => {
    holdsFor(({ before, event, accepted, after }) => {
      const lease = event.type === 'take' ? before.get(event.tab) : undefined;
      if (event.type !== 'take' || event.by.kind !== 'human' || !lease || ownerOf(lease)?.kind !== 'agent') return;
      expect(accepted).toBe(true);
      expect(after.get(event.tab)).toMatchObject({ state: 'draining', to: event.by });
    });
  });

  it('[CO4] do not change the writer when a request is made, denied or unanswered', () => {
    holdsFor(({ before, after, event }) => {
      if (event.type !== 'request' && event.type !== 'deny') return;
      const lease = before.get(event.tab);
      if (lease && lease.state !== 'free') expect(writers(after.get(event.tab) ?? lease)).toEqual(writers(lease));
    });
  });

  it('[CO4] never let a request wait for ever: it is answered, or its time ends', () => {
    holdsFor(({ after, now }) => {
      for (const [id, lease] of after) {
        if (lease.state !== 'asked') continue;
        const result = reduce(after, { type: 'due', tab: id }, Math.max(now, lease.until));
        expect(result.ok && result.leases.get(id)?.state).toBe(lease.atEnd === 'passes' ? 'draining' : 'held');
      }
    });
  });

  it("[CO3] end the former writer's actions and release their held keys before another may write", () => {
    const unreleased = new Set<string>();
    holdsFor(({ first, before, after, event, effects }) => {
      if (first) unreleased.clear();
      for (const [id, old] of before)
        if (writers(old).length > 0 && writers(after.get(id) ?? old)[0] !== writers(old)[0]) unreleased.add(id);
      for (const effect of effects) if (effect.type === 'release-input') unreleased.delete(effect.tab);
      if (event.type === 'tab-closed') unreleased.delete(event.tab);
      for (const id of unreleased) expect(after.get(id)?.state).toBe('draining');
    });
  });

  it('[CO5] never make a person the target of a hand-back, nor a holder their own', () => {
    holdsFor(({ after }) => {
      for (const lease of after.values()) {
        if (!('holder' in lease) || lease.takenFrom === undefined) continue;
        expect(lease.takenFrom.kind).toBe('agent');
        expect(lease.takenFrom.id).not.toBe(lease.holder.id);
      }
    });
  });

  it('[CO1] change only when asked: a refusal returns every lease as the same object', () => {
    holdsFor(({ before, after, accepted, event }) => {
      if (!accepted) expect(after).toBe(before);
      if (
        event.type === 'take-free' ||
        event.type === 'drained' ||
        (event.type === 'release' && event.scope !== 'session') ||
        event.type === 'request' ||
        event.type === 'deny' ||
        event.type === 'due'
      ) {
        for (const [id, lease] of before) if (id !== event.tab) expect(after.get(id)).toBe(lease);
      }
    });
  });

  it('[CO8] are held privately only by the person who drives, or who drove until the lease has passed', () => {
    holdsFor(({ after }) => {
      for (const lease of after.values()) {
        const privateHold = privateHoldOf(lease);
        if (!privateHold) continue;
        expect(privateHold.by.kind).toBe('human');
        expect(privateHold.by.id).toBe(
          'holder' in lease ? lease.holder.id : lease.state === 'draining' ? lease.from.id : 'nobody',
        );
      }
    });
  });

  it('[CO8] announce begin and end of every private hold once, before any other event of that tab', () => {
    const told = new Map<string, boolean>();
    holdsFor(({ first, after, effects }) => {
      if (first) told.clear();
      const edges = effects.filter(({ type }) => type === 'private-hold');
      expect(effects.slice(0, edges.length)).toEqual(edges);
      for (const edge of edges) if (edge.type === 'private-hold') told.set(edge.tab, edge.privateHold !== undefined);
      expect(new Set(edges.map(({ tab: id }) => id)).size).toBe(edges.length);
      for (const [id, covered] of told) expect(privateHoldOf(after.get(id)) !== undefined).toBe(covered);
      for (const [id, lease] of after) if (privateHoldOf(lease)) expect(told.get(id)).toBe(true);
    });
  });

  it('[CO8] are shown again only by the private holder, or once the page that the holder left is gone', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of before) {
        const privateHold = privateHoldOf(lease);
        const next = after.get(id);
        if (!privateHold || !next || privateHoldOf(next)) continue;
        if (event.type === 'drained') expect(lease).toMatchObject({ state: 'draining', epoch: event.epoch });
        else expect('by' in event ? event.by.id : event.type).toBe(privateHold.by.id);
      }
    });
  });

  it('[CO8] after a private holder left, are neither free nor another’s before the page is gone', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of before) {
        if (!privateHoldOf(lease) || (event.type !== 'due' && event.type !== 'left' && event.type !== 'lost')) continue;
        const next = after.get(id) ?? lease;
        // A holder who handed the tab over before is free to leave.
        if (next === lease) continue;
        const [owner, holder] = [ownerOf(lease)?.id, privateHoldOf(lease)?.by.id];
        // An agent that leaves is only forgotten as the one that would get the tab back.
        const other = event.type !== 'due' && event.participant !== owner && event.participant !== holder;
        expect(privateHoldOf(next)).toBeDefined();
        expect(ownerOf(next)?.id ?? holder).toBe(other ? owner : holder);
      }
    });
  });

  it('[CO5] a person who takes again what they were giving up hands nothing back to themselves', () => {
    const by = PEOPLE[2] ?? { id: 'p3', name: 'Mod', kind: 'human' };
    const unsettled = new Set(['t1']);
    const take: ControlEvent = { type: 'take', tab: 't1', by, scope: 'session', moderates: true };
    const events: ControlEvent[] = [
      { type: 'tab-opened', tab: 't1', opener: undefined },
      { type: 'tab-opened', tab: 't2', opener: undefined },
      take,
      { type: 'release', tab: 't1', by, reason: 'released' },
      take,
      { type: 'hand-back', tab: 't1', by },
    ];
    let leases: LeaseMap = new Map();
    for (const one of events) {
      const result = reduce(leases, one, 0, unsettled);
      expect(result.ok).toBe(true);
      if (result.ok) leases = result.leases;
    }

    expect([...leases.values()].map((lease) => ownerOf(lease)?.id)).toEqual([undefined, undefined]);
  });
});
