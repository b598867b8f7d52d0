import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { Deferred } from '@/lib/async/deferred';
import type { Holder } from '@/lib/control/lease';
import { driven } from '@/lib/control/rules';
import { aQueue, longBudget } from '@/server/testing/queue';
import { Leases } from './leases';
import { STORE_MS } from '@/server/store/in-time';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'may write';
  } catch (error) {
    return String(Object(error).code);
  }
};
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(Object(error).code),
  );

/** One tab that the bot drives at epoch 2, and a store that answers when the test says so. */
async function drivenTab() {
  const clock = new FakeClock();
  const writes: { answer(): void; fail(): void }[] = [];
  const state = { holds: false };
  const leases = new Leases(clock, aQueue(clock), () => {
    if (!state.holds) return Promise.resolve();
    const written = new Deferred();
    writes.push({ answer: () => written.resolve(), fail: () => written.reject(new Error('the disk is gone')) });
    return written.promise;
  });
  await leases.apply(longBudget(clock), { type: 'tab-opened', tab: 't1', opener: undefined });
  await leases.apply(longBudget(clock), { type: 'take-free', tab: 't1', by: bot });
  await turn();
  state.holds = true;
  const epoch = leases.lease('t1')?.epoch ?? 0;
  const agentWrites = (): string => codeOf(() => leases.fence('t1', bot.id, epoch));
  const take = (): Promise<string> =>
    outcome(leases.apply(longBudget(clock), { type: 'take', tab: 't1', by: ada, scope: 'tab' }));
  const holder = (): string | undefined => driven(leases.lease('t1'))?.holder.name;
  return { clock, leases, writes, agentWrites, take, holder, epoch };
}

describe('between the decision on a lease and its storage', () => {
  it('[CO3][F16] the former holder writes nothing from the decision on, and the new one nothing before it is stored', async () => {
    const { leases, writes, agentWrites, take, epoch } = await drivenTab();
    const before = agentWrites();
    const taken = take();
    const meanwhile = [agentWrites(), codeOf(() => leases.fence('t1', ada.id, epoch + 1)), leases.lease('t1')?.state];
    writes[0]?.answer();

    expect([before, meanwhile, await taken]).toEqual(['may write', ['STORE_BUSY', 'CONTROL_LOST', 'held'], 'done']);
    expect([leases.lease('t1')?.state, agentWrites()]).toEqual(['draining', 'CONTROL_LOST']);
  });

  it('[CO3][F16] a store that does not answer in five seconds: the take is STORE_BUSY, nobody writes, and it counts if it was stored after all', async () => {
    const { clock, leases, writes, agentWrites, take } = await drivenTab();
    const taken = take();
    const waits = outcome(leases.pendingDecision(() => leases.fence('t1', bot.id, 2)) ?? Promise.resolve());
    clock.advance(STORE_MS - 1);
    const early = agentWrites();
    clock.advance(1);

    expect([early, await taken, await waits, agentWrites()]).toEqual([
      'STORE_BUSY',
      'STORE_BUSY',
      'STORE_BUSY',
      'STORE_BUSY',
    ]);
    writes[0]?.answer();
    await turn();
    expect([leases.lease('t1')?.state, agentWrites()]).toEqual(['draining', 'CONTROL_LOST']);
  });

  it('[CO3][F16] a take that could not be stored did not happen: the agent writes on at its epoch', async () => {
    const { writes, agentWrites, take, holder } = await drivenTab();
    const taken = take();
    const meanwhile = agentWrites();
    writes[0]?.fail();

    expect([meanwhile, (await taken) === 'done', agentWrites(), holder()]).toEqual([
      'STORE_BUSY',
      false,
      'may write',
      'Bot',
    ]);
  });

  it('[CO1] commands are decided one after the other, each on the result of the one before', async () => {
    const { clock, leases, writes, take, holder } = await drivenTab();
    const taken = take();
    const claimed = outcome(leases.apply(longBudget(clock), { type: 'take-free', tab: 't1', by: bot }));
    await turn();
    const stored = writes.length;
    writes[0]?.answer();

    expect([stored, await taken, await claimed, holder()]).toEqual([1, 'done', 'CONTROL_HELD', undefined]);
  });

  it('[CO1][F16] the lease of a tab that is closed meanwhile is removed as soon as the store answers, however late', async () => {
    const { clock, leases, writes, take } = await drivenTab();
    const taken = take();
    const closed = leases.closed('t1');
    clock.advance(3 * STORE_MS);
    const before = leases.lease('t1')?.state;
    writes[0]?.answer();
    await closed;

    expect([await taken, before, leases.lease('t1')]).toEqual(['STORE_BUSY', 'held', undefined]);
  });

  it('[F16] commands behind a store that does not answer are dropped after five seconds, and never done', async () => {
    const { clock, leases, writes, take } = await drivenTab();
    const taken = take();
    const released = outcome(
      leases.apply(longBudget(clock), { type: 'release', tab: 't1', by: bot, reason: 'released' }),
    );
    clock.advance(STORE_MS);
    expect([await taken, await released]).toEqual(['STORE_BUSY', 'STORE_BUSY']);
    writes[0]?.answer();
    await turn();

    expect([leases.lease('t1')?.state, writes.length]).toEqual(['draining', 1]);
  });
});
