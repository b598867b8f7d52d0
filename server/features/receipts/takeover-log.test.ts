import { describe, expect, it } from 'vitest';
import type { DoneAction } from '@/lib/actions/done';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { ControlEvent, Holder } from '@/lib/control/lease';
import { Leases } from '@/server/session/leases';
import { aQueue } from '@/server/testing/queue';
import { reportTakeover, TakeoverLog } from './takeover-log';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const eve: Holder = { id: 'p2', name: 'Eve', kind: 'human' };
const one: Holder = { id: 'a1', name: 'one', kind: 'agent' };
const two: Holder = { id: 'a2', name: 'two', kind: 'agent' };

const done = (step: string): DoneAction => ({ at: '', tab: 't1', action: { kind: 'press' }, step, text: step });

/** Tabs that agent one drives, and people who take and hand on the lease. */
async function fixture(...tabs: string[]) {
  const clock = new FakeClock();
  const leases = new Leases(clock, aQueue(clock), () => Promise.resolve());
  const takeovers = new TakeoverLog({
    leases,
    downloads: { mark: () => 0 },
    placeOf: () => undefined,
    sessionTabs: () => [],
  });
  leases.onEffect.on((effect) => takeovers.leaseMoved(effect));
  const drain = async (): Promise<void> => {
    for (const [tab, { state, epoch }] of leases.leases)
      if (state === 'draining') await leases.applyUntilStored({ type: 'drained', tab, epoch });
  };
  for (const tab of tabs) {
    await leases.applyUntilStored({ type: 'tab-opened', tab, opener: undefined });
    await leases.applyUntilStored({ type: 'take-free', tab, by: one });
  }
  const apply = async (event: ControlEvent): Promise<void> => {
    await leases.applyUntilStored(event);
    await drain();
  };
  const take = (tab: string, by = ada): Promise<void> => apply({ type: 'take', tab, by, scope: 'tab' });
  const did = (step: string, by = ada): void => takeovers.did(by.id, done(step));
  /** Gives the lease of the tab, and returns what the agent is told. */
  const give = async (tab: string, to: Holder, by = ada): Promise<string[]> => {
    const told = reportTakeover(takeovers.of(by.id, to.id));
    await apply({ type: 'hand-over', tab, by, to, scope: 'tab' });
    takeovers.delivered(by.id, to.id, tab, told);
    return told.actions.map(({ step }) => step);
  };
  return { clock, leases, takeovers, apply, take, did, give };
}

describe('takeovers that an agent is told of', () => {
  it('[CO5] are told once, even if the tab that it lost first is another’s by then', async () => {
    const { take, did, give } = await fixture('t1', 't2');
    await take('t1');
    await take('t2');
    did('a');
    await give('t1', two);
    const first = await give('t2', one);
    await take('t2');
    did('b');

    expect([first, await give('t2', one)]).toEqual([['a'], ['b']]);
  });

  it('[CO5] are told once for each tab that it gets back, or gets without having lost it', async () => {
    const { take, did, give } = await fixture('t1', 't2', 't3');
    for (const tab of ['t1', 't2', 't3']) await take(tab);
    did('a');
    const told = [await give('t1', one), await give('t2', two)];
    did('b');

    expect([...told, await give('t3', two)]).toEqual([['a'], ['a'], ['b']]);
  });

  it('[CO5] begin where it lost the lease, also when a tab is still away', async () => {
    const { take, did, give, apply, takeovers } = await fixture('t1', 't2');
    await take('t1');
    await take('t2');
    did('a');
    const first = await give('t1', one);
    did('b');
    await apply({ type: 'hide', tab: 't2', by: ada, reason: '', until: 'ended' });
    did('c');
    await apply({ type: 'show', tab: 't2', by: ada, why: 'ended' });
    await apply({ type: 'lost', participant: ada.id, until: 1 });
    await apply({ type: 'back', participant: ada.id });
    const resumed = takeovers.of(ada.id, one.id)?.resumed;

    expect([first, await give('t2', one), resumed]).toEqual([['a'], ['b', 'c'], false]);
  });

  it('[CO5] is of two people in turn, and again once', async () => {
    const { take, did, give, apply } = await fixture('t1', 't2');
    await take('t1');
    await take('t2', eve);
    did('a');
    did('b', eve);
    const first = await give('t1', one);
    did('c', eve);
    const second = await give('t2', one, eve);
    await apply({ type: 'take', tab: 't1', by: ada, scope: 'session' });
    did('d');

    expect([first, second, await give('t1', one)]).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('[CO5] include work that was done while the receipt was written', async () => {
    const { take, did, apply, takeovers, give } = await fixture('t1', 't2');
    await take('t1');
    await take('t2');
    did('a');
    const told = reportTakeover(takeovers.of(ada.id, one.id));
    did('b');
    await apply({ type: 'hand-over', tab: 't1', by: ada, to: one, scope: 'tab' });
    takeovers.delivered(ada.id, one.id, 't1', told);

    expect(await give('t2', one)).toEqual(['b']);
  });

  it('[CO5] mention a restart of the server only where there was one', async () => {
    const { leases, takeovers } = await fixture();
    await leases.restore('t1', { epoch: 3, holder: ada, takenFrom: one, privateHold: null });

    expect(takeovers.of(ada.id, one.id)?.resumed).toBe(true);
  });
});
