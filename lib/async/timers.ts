import type { Clock } from '@/lib/budget/clock';

/** One timer of an owner. Starting it again replaces the pending call; stopping it cancels that call. */
export class Timer {
  #cancel: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  get running(): boolean {
    return this.#cancel !== undefined;
  }

  /** Calls back once after `ms`; replaces an earlier start. */
  start(ms: number, callback: () => void): void {
    this.stop();
    this.#cancel = this.clock.after(ms, () => {
      this.#cancel = undefined;
      callback();
    });
  }

  /** Starts the timer unless it runs already: for notifications that are sent at most every `ms`. */
  ensure(ms: number, callback: () => void): void {
    if (!this.running) this.start(ms, callback);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/**
 * Calls `work` every `ms`, counted from the end of the call before, until the returned function stops it. `work` must
 * not reject.
 */
export function repeat(clock: Clock, ms: number, work: () => void | Promise<void>): () => void {
  const timer = new Timer(clock);
  let stopped = false;
  const next = (): void => {
    if (!stopped) timer.start(ms, () => void Promise.resolve(work()).then(next));
  };
  next();
  return () => {
    stopped = true;
    timer.stop();
  };
}

/** Timers by name. Planning a name again replaces it, and all of them end with their owner. */
export class Timers {
  readonly #planned = new Map<string, Timer>();
  #disposed = false;

  constructor(private readonly clock: Clock) {}

  /** Calls back after `ms`, unless the name is cancelled or planned again before. */
  plan(name: string, ms: number, callback: () => void): void {
    if (this.#disposed) return;
    const timer = this.#planned.get(name) ?? new Timer(this.clock);
    this.#planned.set(name, timer);
    timer.start(ms, () => {
      this.#planned.delete(name);
      callback();
    });
  }

  cancel(name: string): void {
    this.#planned.get(name)?.stop();
    this.#planned.delete(name);
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  dispose(): void {
    this.#disposed = true;
    for (const timer of this.#planned.values()) timer.stop();
    this.#planned.clear();
  }
}
