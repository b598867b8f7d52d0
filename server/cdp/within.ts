import type { Clock } from '@/lib/budget/clock';

/** True when `work` is fulfilled within `ms` milliseconds; false when it takes longer or fails. */
export function fulfilledWithin(clock: Clock, work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    // An answer that lies in the socket counts, although our own process was too busy to read it before the timer
    // fired.
    const cancel = clock.after(ms, () => setImmediate(() => resolve(false)));
    const settle = (answer: boolean): void => {
      cancel();
      resolve(answer);
    };
    work.then(
      () => settle(true),
      () => settle(false),
    );
  });
}
