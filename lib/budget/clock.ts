/**
 * Monotonic time, in milliseconds, and timers on it. Passed in so that tests own time and no wall clock decides
 * anything (BU2).
 */
export interface Clock {
  /** Milliseconds from an arbitrary start; never goes back. */
  now(): number;
  /** Calls back once, when at least `ms` have passed on this clock; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

const LONGEST_TIMER_MS = 2_147_483_647;

/** The clock of the running process or page: `performance.now`, `setTimeout`. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const due = performance.now() + ms;
    let timer: ReturnType<typeof setTimeout>;
    // Node counts a timer from the start of its loop's turn, so it may fire some milliseconds early; a callback that
    // then checks the time would find it not over yet.
    const wait = (leftMs: number): void => {
      timer = setTimeout(
        () => {
          const left = due - performance.now();
          if (left > 0) wait(left);
          else callback();
        },
        Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS),
      );
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
