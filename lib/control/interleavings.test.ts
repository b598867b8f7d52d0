import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlEvent, Holder, Lease, Leases } from './lease';
import { fence, ownerOf, reduce } from './reduce';

/** CO4, CO1: random interleavings of everything that can happen to the leases of a session, checked after each event. */

const PEOPLE: readonly Holder[] = [
  { id: 'p1', name: 'Ada', kind: 'human' },
  { id: 'p2', name: 'Ben', kind: 'human' },
  { id: 'a1', name: 'Bot', kind: 'agent' },
  { id: 'a2', name: 'Bee', kind: 'agent' },
];
const TABS = ['t1', 't2', 't3'];

const tab = fc.constantFrom(...TABS);
const by = fc.constantFrom(...PEOPLE);
const opened = fc.record({ type: fc.constant('tab-opened' as const), tab, opener: fc.option(tab, { nil: undefined }) });
const event: fc.Arbitrary<ControlEvent> = fc.oneof(
  { weight: 2, arbitrary: opened },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('tab-closed' as const), tab }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('claim' as const), tab, by }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('take' as const), tab, by, scope: fc.constantFrom('session' as const, 'tab' as const) }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('drained' as const), tab, epoch: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('release' as const), tab, by, reason: fc.constant('released') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('hand-back' as const), tab, by }) },
  { weight: 1, arbitrary: by.map(({ id }) => ({ type: 'left' as const, participant: id, why: 'left' as const })) },
  { weight: 2, arbitrary: by.map(({ id }) => ({ type: 'lost' as const, participant: id, until: 1_000 })) },
  { weight: 2, arbitrary: by.map(({ id }) => ({ type: 'back' as const, participant: id })) },
);
/** The flag: a drain is reported with the present epoch of its tab, not with the random one. */
const history = fc.array(fc.tuple(event, fc.boolean()), { maxLength: 60 });

interface Step {
  readonly before: Leases;
  readonly after: Leases;
  readonly event: ControlEvent;
  readonly accepted: boolean;
}

/** Plays a history and hands over each step. */
function play(events: readonly (readonly [ControlEvent, boolean])[], check: (step: Step) => void): void {
  let leases: Leases = new Map();
  for (const [given, timely] of events) {
    const asked = given.type === 'drained' && timely ? { ...given, epoch: leases.get(given.tab)?.epoch ?? given.epoch } : given;
    const result = reduce(leases, asked, 0);
    const after = result.ok ? result.leases : leases;
    check({ before: leases, after, event: asked, accepted: result.ok });
    leases = after;
  }
}

const holdsFor = (check: (step: Step) => void): void => {
  fc.assert(
    fc.property(history, (events) => play(events, check)),
    { numRuns: 1_500 },
  );
};

/** Everybody who could write to the tab with the best epoch they can know. */
const writers = (lease: Lease): Holder[] => PEOPLE.filter(({ id }) => fence(lease, id, lease.epoch) === undefined);

describe('leases under any interleaving', () => {
  it('[CO4] never let two write to one tab, and none while it drains', () => {
    holdsFor(({ after }) => {
      for (const lease of after.values()) expect(writers(lease).map(({ id }) => id)).toEqual(lease.state === 'held' ? [lease.holder.id] : []);
    });
  });

  it('[CO1] grow the epoch by one with each change of hands, and never lower it', () => {
    holdsFor(({ before, after }) => {
      for (const [id, lease] of after) {
        const old = before.get(id);
        if (old) expect(lease.epoch - old.epoch).toBe(old.state === lease.state && writers(old)[0]?.id === writers(lease)[0]?.id ? 0 : 1);
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
        for (const { actor, epoch } of known) if (epoch !== lease.epoch) expect(fence(lease, actor, epoch)?.code).toBe('CONTROL_LOST');
        if (lease.state === 'held') old.set(id, [...known, { actor: lease.holder.id, epoch: lease.epoch }]);
      }
    });
  });

  it('[CO3] move on from draining only by its own epoch, or by closing the tab', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of before) {
        if (lease.state !== 'draining' || after.get(id)?.state === 'draining') continue;
        expect(event).toMatchObject(event.type === 'drained' ? { tab: id, epoch: lease.epoch } : { type: 'tab-closed', tab: id });
      }
    });
  });

  it('[CO3] take nothing away from a person but by that person', () => {
    holdsFor(({ before, after, event }) => {
      for (const [id, lease] of before) {
        const owner = ownerOf(lease);
        if (owner?.kind !== 'human' || !after.has(id) || ownerOf(after.get(id) ?? lease)?.id === owner.id) continue;
        expect('by' in event ? event.by.id : event.type === 'left' ? event.participant : event.type).toBe(owner.id);
      }
    });
  });

  it('[CO4] are taken by a person from an agent whenever asked', () => {
    holdsFor(({ before, event, accepted, after }) => {
      const lease = event.type === 'take' ? before.get(event.tab) : undefined;
      if (event.type !== 'take' || event.by.kind !== 'human' || lease?.state !== 'held' || lease.holder.kind !== 'agent') return;
      expect(accepted).toBe(true);
      expect(after.get(event.tab)).toMatchObject({ state: 'draining', from: lease.holder, to: event.by });
    });
  });

  it('[CO5] never make a person the one to hand back to, nor anybody their own', () => {
    holdsFor(({ after }) => {
      for (const lease of after.values()) {
        if (lease.state !== 'held' || lease.takenFrom === undefined) continue;
        expect(lease.takenFrom.kind).toBe('agent');
        expect(lease.takenFrom.id).not.toBe(lease.holder.id);
      }
    });
  });

  it('[CO1] change nothing that was not asked for: a refusal leaves every lease the same object', () => {
    holdsFor(({ before, after, accepted, event }) => {
      if (!accepted) expect(after).toBe(before);
      if (event.type === 'claim' || event.type === 'drained' || event.type === 'release') {
        for (const [id, lease] of before) if (id !== event.tab) expect(after.get(id)).toBe(lease);
      }
    });
  });
});
