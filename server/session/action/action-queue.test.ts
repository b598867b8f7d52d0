import { describe, expect, it } from 'vitest';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionQueue } from './action-queue';

const clock = new FakeClock();
const budgetOf = (timeoutMs: number): Budget => createBudget({ timeoutMs, clock });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is told to end, and logs its start. */
function work(log: string[], name: string) {
  let end: (failure?: Error) => void = () => undefined;
  const run = (): Promise<string> => {
    log.push(name);
    return new Promise((resolve, reject) => {
      end = (failure) => (failure ? reject(failure) : resolve(name));
    });
  };
  return { run, end: (failure?: Error): void => end(failure) };
}

async function inTurn<T>(queue: ActionQueue, budget: Budget, act: () => Promise<T>): Promise<T> {
  const end = await queue.turn(budget);
  try {
    return await act();
  } finally {
    end();
  }
}

describe('ActionQueue', () => {
  it('[AC6] carries actions out one after the other, in order of arrival', async () => {
    const queue = new ActionQueue();
    const log: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => work(log, name));
    const results = works.map(({ run }) => inTurn(queue, budgetOf(1_000), run));
    await turn();
    expect(log).toEqual(['a']);
    works[0]?.end();
    await turn();
    expect(log).toEqual(['a', 'b']);
    works[1]?.end();
    await turn();
    works[2]?.end();
    expect([await Promise.all(results), log]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('[AC6] goes on after an action fails', async () => {
    const queue = new ActionQueue();
    const log: string[] = [];
    const [first, second] = [work(log, 'a'), work(log, 'b')];
    const failing = inTurn(queue, budgetOf(1_000), first.run);
    const next = inTurn(queue, budgetOf(1_000), second.run);
    await turn();
    first.end(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await turn();
    second.end();
    expect(await next).toBe('b');
  });

  it('[AC6] a waiter whose budget ends is removed, told why, and never acts', async () => {
    const queue = new ActionQueue();
    const log: string[] = [];
    const [first, second, third] = [work(log, 'a'), work(log, 'b'), work(log, 'c')];
    const running = inTurn(queue, budgetOf(5_000), first.run);
    const leaving = inTurn(queue, budgetOf(100), second.run);
    const staying = inTurn(queue, budgetOf(5_000), third.run);
    clock.advance(100);
    await expect(leaving).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('earlier actions of this tab'),
    });
    expect(log).toEqual(['a']);
    first.end();
    await running;
    await turn();
    third.end();
    expect([await staying, log]).toEqual(['c', ['a', 'c']]);
  });

  it('[AC6] removing a waiter lets no other act before its turn', async () => {
    const queue = new ActionQueue();
    const log: string[] = [];
    const first = work(log, 'a');
    const running = inTurn(queue, budgetOf(5_000), first.run);
    const leaving = inTurn(queue, budgetOf(100), work(log, 'b').run);
    const third = work(log, 'c');
    const waiting = inTurn(queue, budgetOf(5_000), third.run);
    clock.advance(100);
    await expect(leaving).rejects.toThrow();
    await turn();
    expect(log).toEqual(['a']);
    first.end();
    await running;
    await turn();
    third.end();
    await waiting;
  });

  it('[CO3] a waiter that loses the lease leaves with that reason', async () => {
    const queue = new ActionQueue();
    const first = work([], 'a');
    const running = inTurn(queue, budgetOf(5_000), first.run);
    const budget = budgetOf(5_000);
    const waiting = inTurn(queue, budget, () => Promise.resolve('acted'));
    const lost = new WheelhouseError('CONTROL_LOST', 'Ada took the wheel.');
    budget.abort(lost);
    await expect(waiting).rejects.toBe(lost);
    first.end();
    await running;
  });

  it('[AC6] two queues do not wait for each other', async () => {
    const [one, other] = [new ActionQueue(), new ActionQueue()];
    const stuck = work([], 'stuck');
    const blocked = inTurn(one, budgetOf(100), stuck.run);
    expect(await inTurn(other, budgetOf(100), () => Promise.resolve('free'))).toBe('free');
    stuck.end();
    await blocked;
  });
});
