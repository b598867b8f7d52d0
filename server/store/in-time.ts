import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/** A store that takes longer to answer is busy: callers get STORE_BUSY. Milliseconds. */
export const STORE_MS = 5_000;

export function storeSilent(): WheelhouseError {
  return new WheelhouseError('STORE_BUSY', { code: 'storeSilent' });
}

/** Settles as `work` does, or rejects with STORE_BUSY when that takes longer than `ms`; `work` itself goes on. */
export function inTime<T>(clock: Clock, work: Promise<T>, ms = STORE_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(storeSilent()));
    work.then(resolve, reject).finally(cancel);
  });
}
