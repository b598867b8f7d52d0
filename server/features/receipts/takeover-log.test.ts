import { describe, expect, it } from 'vitest';
import type { DoneAction } from '@/lib/actions/done';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Holder } from '@/lib/control/lease';
import { Leases } from '@/server/session/leases';
import { reportTakeover, TakeoverLog } from './takeover-log';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const eve: Holder = { id: 'p2', name: 'Eve', kind: 'human' };
const one: Holder = { id: 'a1', name: 'one', kind: 'agent' };
const two: Holder = { id: 'a2', name: 'two', kind: 'agent' };

const done = (step: string): DoneAction => ({ at: '', tab: 't1', action: { kind: 'press' }, step, text: step });

/** Tabs that agent one drives, and people who take them and hand them on. */
function fixture(...tabs: string[]) {
  const clock = new FakeClock();
  const leases = new Leases(clock, () => undefined);
  const takeovers = new TakeoverLog({
    leases,
    downloads: { mark: () => 0 },
    placeOf: () => undefined,
    sessionTabs: () => [],
  });
  leases.onEffect.on((effect) => takeovers.wheelMoved(effect));
  const drain = (): void =>
    leases.leases.forEach(
      ({ state, epoch }, tab) => state === 'draining' && leases.apply({ type: 'drained', tab, epoch }),
    );
  for (const tab of tabs) {
    leases.apply({ type: 'tab-opened', tab, opener: undefined });
    leases.apply({ type: 'claim', tab, by: one });
  }
  const apply = (event: Parameters<typeof leases.apply>[0]): void => {
    leases.apply(event);
    drain();
  };
  const take = (tab: string, by = ada): void => apply({ type: 'take', tab, by, scope: 'tab' });
  const did = (step: string, by = ada): void => takeovers.did(by.id, done(step));
  /** What the agent is told by that. */
  const give = (tab: string, to: Holder, by = ada): string[] => {
    const told = reportTakeover(takeovers.of(by.id, to.id));
    apply({ type: 'hand-over', tab, by, to, scope: 'tab' });
    takeovers.told(by.id, to.id, tab, told);
    return told.actions.map(({ step }) => step);
  };
  return { clock, leases, stints: takeovers, apply, take, did, give };
}

describe('what an agent is told of people’s work', () => {
  it('[CO5] is told once, also when the tab it lost first is another’s by then', () => {
    const { take, did, give } = fixture('t1', 't2');
    take('t1');
    take('t2');
    did('a');
    give('t1', two);
    const first = give('t2', one);
    take('t2');
    did('b');

    expect([first, give('t2', one)]).toEqual([['a'], ['b']]);
  });

  it('[CO5] is told once by each tab that it gets back, or gets without having lost it', () => {
    const { take, did, give } = fixture('t1', 't2', 't3');
    for (const tab of ['t1', 't2', 't3']) take(tab);
    did('a');
    const told = [give('t1', one), give('t2', two)];
    did('b');

    expect([...told, give('t3', two)]).toEqual([['a'], ['a'], ['b']]);
  });

  it('[CO5] begins where it lost the wheel, whatever becomes of a tab that is still away', () => {
    const { take, did, give, apply, stints: takeovers } = fixture('t1', 't2');
    take('t1');
    take('t2');
    did('a');
    const first = give('t1', one);
    did('b');
    apply({ type: 'hide', tab: 't2', by: ada, reason: '', until: 'ended' });
    did('c');
    apply({ type: 'show', tab: 't2', by: ada, why: 'ended' });
    apply({ type: 'lost', participant: ada.id, until: 1 });
    apply({ type: 'back', participant: ada.id });
    const resumed = takeovers.of(ada.id, one.id)?.resumed;

    expect([first, give('t2', one), resumed]).toEqual([['a'], ['b', 'c'], false]);
  });

  it('[CO5] is of two people in turn, and again once', () => {
    const { take, did, give, apply } = fixture('t1', 't2');
    take('t1');
    take('t2', eve);
    did('a');
    did('b', eve);
    const first = give('t1', one);
    did('c', eve);
    const second = give('t2', one, eve);
    apply({ type: 'take', tab: 't1', by: ada, scope: 'session' });
    did('d');

    expect([first, second, give('t1', one)]).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('[CO5] leaves nothing out that was done while it was written', () => {
    const { take, did, apply, stints: takeovers, give } = fixture('t1', 't2');
    take('t1');
    take('t2');
    did('a');
    const told = reportTakeover(takeovers.of(ada.id, one.id));
    did('b');
    apply({ type: 'hand-over', tab: 't1', by: ada, to: one, scope: 'tab' });
    takeovers.told(ada.id, one.id, 't1', told);

    expect(give('t2', one)).toEqual(['b']);
  });

  it('[CO5] says that the server was started anew only where it was', () => {
    const { leases, stints: takeovers } = fixture();
    leases.restore('t1', { epoch: 3, holder: ada, takenFrom: one, cover: null });

    expect(takeovers.of(ada.id, one.id)?.resumed).toBe(true);
  });
});
