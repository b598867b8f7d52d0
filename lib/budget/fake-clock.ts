import type { Clock } from './clock';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that a test moves by hand. Timers run in the order of their time, each at its own time. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances time by `ms` and runs every timer that falls due, including timers set by those. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let due = this.#next(until); due; due = this.#next(until)) {
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = until;
  }

  /** Timers that still wait; 0 once their owner is disposed. */
  get waiting(): number {
    return this.#timers.size;
  }

  #next(until: number): Timer | undefined {
    return [...this.#timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
  }
}
