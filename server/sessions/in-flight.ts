import type { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';

/** One action that is being carried out, with what Chrome has not acknowledged yet. */
export class Running {
  #pendingWrites = 0;
  #onQuiet: (() => void)[] = [];

  constructor(
    readonly tab: string,
    readonly actor: string,
    readonly budget: Budget,
  ) {}

  get pendingWrites(): number {
    return this.#pendingWrites;
  }

  /** Counts one write until Chrome answers it, whatever the answer. */
  async written<T>(write: Promise<T>): Promise<T> {
    this.#pendingWrites += 1;
    try {
      return await write;
    } finally {
      this.#pendingWrites -= 1;
      if (this.#pendingWrites === 0) for (const quiet of this.#onQuiet.splice(0)) quiet();
    }
  }

  /** Settles when Chrome has acknowledged every write. */
  quiet(): Promise<void> {
    if (this.#pendingWrites === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onQuiet.push(resolve));
  }
}

/** What runs in a session, so that a takeover can end it (CO3). */
export class InFlight {
  readonly #running = new Set<Running>();

  start(running: Running): () => void {
    this.#running.add(running);
    return () => this.#running.delete(running);
  }

  of(tab: string, actor: string): Running[] {
    return [...this.#running].filter((running) => running.tab === tab && running.actor === actor);
  }

  on(tab: string): Running[] {
    return [...this.#running].filter((running) => running.tab === tab);
  }

  /** Ends everything with one reason, for example because the browser is gone. */
  abortAll(error: WheelhouseError): void {
    for (const running of this.#running) running.budget.abort(error);
  }
}
