import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { Emitter } from './emitter';

describe('Emitter', () => {
  it('[BU3] waits for the first event that fits, as a named step of the budget', async () => {
    const emitter = new Emitter<[number]>();
    const budget = createBudget({ timeoutMs: 100, clock: new FakeClock() });
    const waiting = emitter.waitFor(budget, 'a large number', (value) => (value > 1 ? `got ${value}` : undefined));
    for (const value of [1, 2, 3]) emitter.emit(value);

    expect(await waiting).toBe('got 2');
    expect(budget.log.map(({ label }) => label)).toEqual(['a large number']);
  });

  it('[BU3] rejects with an exception of the function that looks at an event', async () => {
    const emitter = new Emitter<[]>();
    const next = emitter.next((): never => {
      throw new Error('no');
    });
    emitter.emit();
    emitter.emit();

    await expect(next.promise).rejects.toThrow('no');
  });

  it('[BU3] stops listening when the budget ends', async () => {
    const emitter = new Emitter<[number]>();
    const clock = new FakeClock();
    const looked: number[] = [];
    const waiting = emitter.waitFor(
      createBudget({ timeoutMs: 100, clock }),
      'nothing',
      (value) => void looked.push(value),
    );
    clock.advance(100);
    await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' });
    emitter.emit(1);

    expect(looked).toEqual([]);
  });
});
