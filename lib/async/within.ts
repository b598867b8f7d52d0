import type { Clock } from '@/lib/budget/clock';

/** The result of `within` when the time was over first. */
export const LATE = Symbol('late');

/**
 * Resolves to the result of `work`, or to LATE when it takes longer than `ms`; rejects if `work` fails in time. The
 * work itself goes on, and a later failure of it is ignored. A call that has a budget uses `budget.within` instead,
 * which also ends the work.
 */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(LATE));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** Settles after `ms`. It cannot be ended early: a call that has a budget uses `budget.pause` instead. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
