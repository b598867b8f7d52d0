/** Waits for a measuring period, or between two presses; never used where an event can be awaited. Milliseconds. */
export function forMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
