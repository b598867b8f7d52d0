/** Monotonic time, in milliseconds, and timers on it. Passed in so that tests own time and no wall clock decides anything (BU2). */
export interface Clock {
  /** Milliseconds from an arbitrary start; never goes back. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of the running process or page: `performance.now`, `setTimeout`. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};
