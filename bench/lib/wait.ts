/** A measuring time, or the pause between two presses; nothing is awaited by it that has an event. Milliseconds. */
export function forMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
