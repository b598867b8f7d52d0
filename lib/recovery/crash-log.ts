/** Crashes longer ago than this no longer count (F2). Milliseconds. */
const CRASHES_COUNT_MS = 600_000;

/**
 * Adds a crash at `now` (monotonic milliseconds) to those that still count. A crashed page or Chrome is restored
 * automatically a number of times within ten minutes, then only on request of a person (BR5, CO9).
 */
export function withCrash(crashes: readonly number[], now: number): readonly number[] {
  return [...crashes.filter((at) => now - at < CRASHES_COUNT_MS), now];
}
