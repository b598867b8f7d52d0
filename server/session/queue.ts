import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/** A store that takes longer to answer is busy: callers get STORE_BUSY. Milliseconds. */
export const STORE_MS = 5_000;

function storeSilent(): WheelhouseError {
  return new WheelhouseError('STORE_BUSY', { code: 'storeSilent' });
}

/** Settles as `work` does, or rejects with STORE_BUSY when that takes longer than `ms`; `work` itself goes on. */
export function inTime<T>(clock: Clock, work: Promise<T>, ms = STORE_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(storeSilent()));
    work.then(resolve, reject).finally(cancel);
  });
}

/** The decision of a command, before it takes effect. */
export interface Decision<T> {
  /** Stores the decision; undefined when there is nothing to store. */
  readonly store?: (() => Promise<unknown>) | undefined;
  /** Called once stored: puts the decision into force and runs its effects. */
  apply(): T;
  /** Called when storing failed: drops the decision. */
  withdraw?(): void;
}

/**
 * Runs the commands of a session one after another: each is decided on the result of the one before, stored, and only
 * then in force. A slow store delays the commands behind it; their callers get STORE_BUSY after `STORE_MS`. A decided
 * command still takes effect if it is stored later; one that still waits is dropped.
 */
export class CommandQueue {
  /** Each runs a command and calls back when the next may be decided. */
  readonly #waiting: ((done: () => void) => void)[] = [];
  #busy = false;

  constructor(private readonly clock: Clock) {}

  /**
   * Settles when the command is in force; at once when it stores nothing and no other is running. Throws STORE_BUSY.
   */
  run<T>(decide: () => Decision<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const state = { over: false, late: false };
      let cancel = (): void => undefined;
      this.#waiting.push((done) => {
        if (state.late) return done();
        carryOut(decide, resolve, reject, () => {
          state.over = true;
          cancel();
          done();
        });
      });
      this.#next();
      if (state.over) return;
      cancel = this.clock.after(STORE_MS, () => {
        state.late = true;
        reject(storeSilent());
      });
    });
  }

  #next(): void {
    if (this.#busy) return;
    const command = this.#waiting.shift();
    if (!command) return;
    this.#busy = true;
    command(() => {
      this.#busy = false;
      this.#next();
    });
  }
}

/** @param over called once, when the command is in force or has failed */
function carryOut<T>(
  decide: () => Decision<T>,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
  over: () => void,
): void {
  const settle = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      reject(error);
    }
    over();
  };
  try {
    const decision = decide();
    if (!decision.store) return settle(() => resolve(decision.apply()));
    decision.store().then(
      () => settle(() => resolve(decision.apply())),
      (error: unknown) =>
        settle(() => {
          decision.withdraw?.();
          reject(error);
        }),
    );
  } catch (error) {
    settle(() => reject(error));
  }
}
