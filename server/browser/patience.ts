import type { Clock } from '@/lib/budget/clock';

/** Settles with the work, or after `ms`, when `late` has been called; the work goes on. It must not reject. */
export async function withPatience(clock: Clock, ms: number, work: Promise<void>, late: () => void): Promise<void> {
  let cancel = (): void => undefined;
  const patience = new Promise<void>((resolve) => {
    cancel = clock.after(ms, () => {
      late();
      resolve();
    });
  });
  await Promise.race([work, patience]);
  cancel();
}
