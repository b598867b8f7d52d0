/** Turns monotonic milliseconds of `performance.now()` into ISO 8601, for showing only. */
export function toClock(monotonicMs: number): string {
  return new Date(performance.timeOrigin + monotonicMs).toISOString();
}
