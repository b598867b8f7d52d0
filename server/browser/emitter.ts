import { Deferred } from '@/lib/async/deferred';
import type { Budget } from '@/lib/budget/budget';

/** The promise of a future event. `stop` removes the listener and leaves the promise pending. */
export interface Upcoming<R> {
  readonly promise: Promise<R>;
  readonly stop: () => void;
}

/** Typed listeners. Adding a handler twice calls it once; the returned function removes it. */
export class Emitter<T extends unknown[]> {
  readonly #handlers = new Set<(...values: T) => void>();

  /**
   * @param fault receives what a handler throws; the other handlers are called all the same. Without it `emit` throws,
   * and the handlers behind it are not called
   */
  constructor(private readonly fault?: (error: unknown) => void) {}

  on(handler: (...values: T) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Resolves with the first defined value that `pick` returns for a future event; rejects with what `pick` throws. */
  next<R>(pick: (...values: T) => R | undefined): Upcoming<R> {
    const found = new Deferred<R>();
    // Prevents an unhandled rejection when the caller has stopped waiting.
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

  /** Waits for `next` as a named step of the budget. Throws what ends the budget. */
  async waitFor<R>(budget: Budget, label: string, pick: (...values: T) => R | undefined): Promise<R> {
    const upcoming = this.next(pick);
    try {
      return await budget.during(label, () => upcoming.promise);
    } finally {
      upcoming.stop();
    }
  }

  emit(...values: T): void {
    for (const handler of [...this.#handlers]) this.#call(handler, values);
  }

  clear(): void {
    this.#handlers.clear();
  }

  #call(handler: (...values: T) => void, values: T): void {
    if (!this.fault) return handler(...values);
    try {
      handler(...values);
    } catch (error) {
      this.fault(error);
    }
  }
}
