import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/** A store that does not answer within this is busy: whoever waits for it is told so. Milliseconds. */
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

/** What a command has come to, before it counts. */
export interface Decision<T> {
  /** Left out: there is nothing to store. */
  readonly store?: (() => Promise<unknown>) | undefined;
  /** It is stored: makes it count, and carries out its effects. */
  apply(): T;
  /** It could not be stored and does not happen. */
  withdraw?(): void;
}

/**
 * The commands of a session, one after the other: each is decided on what the one before left, stored, and only then
 * counts. A store that does not answer holds up those behind it. Whoever gave a command hears of that after `STORE_MS`
 * (STORE_BUSY): one that was decided counts all the same if the store does store it, one that still waits is dropped.
 */
export class CommandQueue {
  /** Each carries a command out, and calls back when the next may be decided. */
  readonly #waiting: ((done: () => void) => void)[] = [];
  #busy = false;

  constructor(private readonly clock: Clock) {}

  /** Settles when it counts. One that has nothing to store counts at once when nothing is before it. */
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

/** @param over called once, when it counts or is not going to */
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
