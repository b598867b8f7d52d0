import { Deferred } from '@/lib/async/deferred';
import type { Budget } from '@/lib/budget/budget';

/** Something that an emitter will tell; `stop` ends the listening, and the promise then stays open. */
export interface Upcoming<R> {
  readonly promise: Promise<R>;
  readonly stop: () => void;
}

/** Typed listeners with one owner. A handler added twice is called once; removal is by the returned function. */
export class Emitter<T extends unknown[]> {
  readonly #handlers = new Set<(...values: T) => void>();

  on(handler: (...values: T) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** The first value that `pick` finds in an event from now on; undefined goes on listening, what it throws rejects. */
  next<R>(pick: (...values: T) => R | undefined): Upcoming<R> {
    const found = new Deferred<R>();
    // A caller may have stopped waiting by then.
    found.promise.catch(() => undefined);
    const stop = this.on((...values) => {
      try {
        const value = pick(...values);
        if (value === undefined) return;
        found.resolve(value);
      } catch (error) {
        found.reject(error);
      }
      stop();
    });
    return { promise: found.promise, stop };
  }

  /** Waits for `next`, as a named step of the budget. Throws what ends the budget. */
  async waitFor<R>(budget: Budget, label: string, pick: (...values: T) => R | undefined): Promise<R> {
    const upcoming = this.next(pick);
    try {
      return await budget.during(label, () => upcoming.promise);
    } finally {
      upcoming.stop();
    }
  }

  emit(...values: T): void {
    for (const handler of [...this.#handlers]) handler(...values);
  }

  clear(): void {
    this.#handlers.clear();
  }
}
