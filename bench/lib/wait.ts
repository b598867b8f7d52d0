/** Pause between two looks, and the longest wait. Milliseconds. */
const LOOK_MS = 5;
const LONGEST_MS = 10_000;

/** Waits for a measuring period, or between two presses; never used where an event can be awaited. Milliseconds. */
export function forMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks again and again until it is true. Throws when that takes longer than ten seconds. */
export async function untilTrue(look: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + LONGEST_MS;
  while (!(await look())) {
    if (performance.now() > endsAt) throw new Error(`Waited in vain for ${LONGEST_MS / 1_000} s.`);
    await forMs(LOOK_MS);
  }
}

/** A time that processes of one machine can compare, milliseconds. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
