import type { WheelhouseError } from '@/lib/errors/error';
import { withBudget, type Budget } from './budget';
import type { Clock } from './clock';

/**
 * Runs work that no caller waits for, each piece under its own budget, and ends all of it with its owner. It keeps the
 * budgets itself instead of one AbortSignal that all of them listen to: there may be as many as sessions, and Node
 * warns of a leak above ten listeners.
 */
export class Background {
  readonly #budgets = new Set<Budget>();
  #over: WheelhouseError | undefined;

  constructor(private readonly clock: Clock) {}

  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Settles as `work` does; work that is started after the end gets no time. `timeoutMs` in milliseconds. */
  run<T>(timeoutMs: number, work: (budget: Budget) => Promise<T>): Promise<T> {
    return withBudget({ timeoutMs, clock: this.clock }, async (budget) => {
      this.#budgets.add(budget);
      if (this.#over) budget.abort(this.#over);
      try {
        return await work(budget);
      } finally {
        this.#budgets.delete(budget);
      }
    });
  }

  /** Ends all running work, and all work that is started later. Idempotent. */
  end(reason: WheelhouseError): void {
    this.#over ??= reason;
    for (const budget of this.#budgets) budget.abort(this.#over);
  }
}
