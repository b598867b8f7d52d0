import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { ControlEvent, Holder } from '@/lib/control/lease';
import { fence } from '@/lib/control/rules';
import { disturbedStore, refusal, type Disturb } from '@/server/testing/disturbed-store';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { aQueue, longBudget } from '@/server/testing/queue';
import { Leases } from './leases';
import { SessionLedger } from './ledger';
import { STORE_MS } from '@/server/store/in-time';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const PEOPLE = [ada, ben, bot];
const TABS = ['t1', 't2'];

/** Leases of a session whose store is disturbed. */
async function withStore(disturb: Disturb) {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const clock = new FakeClock();
  const ledger = new SessionLedger(disturbedStore(store, disturb), workspace, session, quietLogger);
  const leases = new Leases(clock, aQueue(clock), (changes) => ledger.commit(changes));
  return { store, workspace, session, clock, ledger, leases };
}

const through: Disturb = (_, reach) => reach();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'no code',
  );

/** Participants who could write to the tab, given the best epoch that they can know. */
function writersOf(leases: Leases, tab: string): string[] {
  return PEOPLE.filter(({ id }) => {
    try {
      leases.fence(tab, id, leases.lease(tab)?.epoch ?? 0);
      return true;
    } catch {
      return false;
    }
  }).map(({ id }) => id);
}

describe('a take whose store does not answer', () => {
  /** The agent drives, Ada has asked for the lease, and the store does not answer until `answer`. */
  async function silent() {
    let disturb = through;
    const made = await withStore((what, reach) => disturb(what, reach));
    const { leases, clock } = made;
    await leases.apply(longBudget(clock), { type: 'tab-opened', tab: 't1', opener: undefined });
    const epoch = await leases.takeFree(longBudget(clock), 't1', bot);
    let answer: (how: 'stores' | 'refuses') => void = () => undefined;
    const answered = new Promise<'stores' | 'refuses'>((resolve) => {
      answer = resolve;
    });
    disturb = async (_, reach) => {
      if ((await answered) === 'refuses') throw refusal();
      return reach();
    };
    const taken = codeOf(leases.apply(longBudget(clock), { type: 'take', tab: 't1', by: ada, scope: 'tab' }));
    const write = (): void => leases.fence('t1', bot.id, epoch);
    return { ...made, taken, write, answer: (how: 'stores' | 'refuses') => answer(how) };
  }

  it("[CO2] stops the former holder's writes from the decision on, and nobody writes meanwhile", async () => {
    const { leases, write } = await silent();
    expect(write).toThrow(expect.objectContaining({ code: 'STORE_BUSY' }));
    expect([leases.lease('t1')?.state, writersOf(leases, 't1')]).toEqual(['held', []]);
  });

  it('[CO3] is STORE_BUSY after 5 s, to the taker, to those who wait to write and to later callers', async () => {
    const { leases, clock, taken, write } = await silent();
    const waits = codeOf(Promise.resolve(leases.pendingDecision(write)));
    const later = codeOf(leases.apply(longBudget(clock), { type: 'request', tab: 't1', by: ben, moderates: false }));
    clock.advance(STORE_MS - 1);
    await turn();
    const early = await Promise.race([taken, waits, later, turn().then(() => 'none')]);
    clock.advance(1);

    expect([early, await taken, await waits, await later]).toEqual(['none', 'STORE_BUSY', 'STORE_BUSY', 'STORE_BUSY']);
  });

  it('[CO3] counts when it is stored after all; a caller that got STORE_BUSY before the decision has done nothing', async () => {
    const { leases, clock, taken, write, answer, store, workspace, session } = await silent();
    const later = codeOf(leases.apply(longBudget(clock), { type: 'release', tab: 't1', by: bot, reason: 'released' }));
    clock.advance(STORE_MS);
    await Promise.all([taken, later]);
    answer('stores');
    await expect.poll(() => leases.lease('t1')?.state).toBe('draining');

    expect(write).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
    expect(await store.leases.list(workspace, session)).toMatchObject([{ tab: 't1', epoch: 3, holder: ada }]);
  });

  it('[CO2] that the store refuses leaves the lease where it was: waiting writes go on', async () => {
    const { leases, taken, write, answer } = await silent();
    const waits = codeOf(Promise.resolve(leases.pendingDecision(write)));
    answer('refuses');

    expect([await taken, await waits]).toEqual(['STORE_BUSY', 'done']);
    expect(write).not.toThrow();
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: bot });
  });
});

const tab = fc.constantFrom(...TABS);
const by = fc.constantFrom(...PEOPLE);
const event: fc.Arbitrary<ControlEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('take-free' as const), tab, by }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('take' as const),
      tab,
      by,
      scope: fc.constantFrom('session' as const, 'tab' as const),
      moderates: fc.constant(false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('hand-back' as const), tab, by }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('release' as const), tab, by, reason: fc.constant('released') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('drained' as const), tab, epoch: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: by.map(({ id }) => ({ type: 'lost' as const, participant: id, until: 100 })) },
  { weight: 1, arbitrary: by.map(({ id }) => ({ type: 'back' as const, participant: id })) },
  { weight: 1, arbitrary: fc.constant({ type: 'renewed' as const }) },
);

describe('leases whose store answers late, out of turn, or refuses', () => {
  it('[CO2] [CO4] let at most one participant write, none whose loss is decided, and are stored before they are announced', async () => {
    const real = await tempStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 25 }),
        fc.infiniteStream(fc.nat(9)),
        fc.scheduler(),
        async (events, fates, scheduler) => {
          const { workspace, session } = await tempSession(real);
          const clock = new FakeClock();
          const disturbed = disturbedStore(real, async (what, reach) => {
            const fate = fates.next().value;
            await scheduler.schedule(Promise.resolve(), `${what} goes`);
            if (fate === 0) throw refusal();
            const answer = await reach();
            await scheduler.schedule(Promise.resolve(), `${what} is answered`);
            // It is stored, and its answer is lost.
            if (fate === 1) throw refusal();
            return answer;
          });
          const ledger = new SessionLedger(disturbed, workspace, session, quietLogger);
          const saving = { losers: new Map<string, string>() };
          const leases = new Leases(clock, aQueue(clock), async (changes) => {
            saving.losers = new Map(
              [...changes.leases].flatMap(([id, next]) => {
                const old = leases.lease(id);
                const writer = PEOPLE.find((one) => old && fence(old, one.id, old.epoch) === undefined);
                const keeps = writer && old && fence(next, writer.id, old.epoch) === undefined;
                return writer && !keeps ? [[id, writer.id]] : [];
              }),
            );
            try {
              await ledger.commit(changes);
            } finally {
              saving.losers = new Map();
            }
          });
          const problems: string[] = [];
          const look = (): void => {
            for (const id of TABS) {
              const writers = writersOf(leases, id);
              if (writers.length > 1) problems.push(`${writers.join(' and ')} write to ${id}`);
              const loser = saving.losers.get(id);
              if (loser !== undefined && writers.includes(loser)) problems.push(`${loser} lost ${id} and writes`);
            }
          };
          const told: { id: string; epoch: number }[] = [];
          leases.onEffect.on((effect) => {
            if (effect.type === 'changed') told.push({ id: effect.tab, epoch: effect.lease.epoch });
          });
          const work = [
            ...TABS.map((id) => leases.apply(longBudget(clock), { type: 'tab-opened', tab: id, opener: undefined })),
            ...events.map((one) => leases.apply(longBudget(clock), one)),
            ...Array.from({ length: 5 }, (_, at) => ledger.append(clickEvent(`e${at}`))),
          ].map((one) => one.catch(() => undefined));
          let open = work.length;
          for (const one of work) void one.then(() => (open -= 1));
          for (look(); open > 0; look()) {
            if (scheduler.count() > 0) await scheduler.waitOne();
            look();
            await turn();
          }
          const stored = new Map((await real.leases.list(workspace, session)).map((lease) => [lease.tab, lease.epoch]));
          for (const { id, epoch } of told)
            if ((stored.get(id) ?? 0) < epoch)
              problems.push(`${id} was told at ${epoch} and is stored at ${stored.get(id)}`);
          const rows = (await real.timeline.list(workspace, session, { limit: 100 })).map(({ id }) => id);
          if (rows.join() !== rows.toSorted().join()) problems.push(`rows stand as ${rows.join()}`);
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: 120 },
    );
  }, 120_000);

  it('[TL1] rows are in the order in which they were announced, whichever the store answers first', async () => {
    const waits: (() => void)[] = [];
    const { ledger, store, workspace, session } = await withStore(async (_, reach) => {
      await new Promise<void>((resolve) => void waits.push(resolve));
      return reach();
    });
    const told = Array.from({ length: 6 }, (_, at) => ledger.append(clickEvent(`e${at}`)));
    while ((await store.timeline.list(workspace, session, { limit: 10 })).length < 6) {
      for (const go of waits.splice(0).reverse()) go();
      await turn();
    }
    const placed = await Promise.all(told);

    expect(placed.map(({ id, seq }) => [id, seq])).toEqual([0, 1, 2, 3, 4, 5].map((at) => [`e${at}`, at + 1]));
  });
});
