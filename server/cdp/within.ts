import { Deferred } from '@/lib/async/deferred';
import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';

/** True when `work` is fulfilled within `ms` milliseconds; false when it takes longer or fails. */
export async function fulfilledWithin(clock: Clock, work: Promise<unknown>, ms: number): Promise<boolean> {
  const fulfilled = work.then(
    () => true,
    () => false,
  );
  const answer = await within(clock, ms, fulfilled);
  if (answer !== LATE) return answer;
  // Counts an answer that is already in the socket when the timer fires: our own process may have been too busy to read
  // it.
  const turned = new Deferred<boolean>();
  setImmediate(() => turned.resolve(false));
  return Promise.race([fulfilled, turned.promise]);
}
