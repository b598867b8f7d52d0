import type { WheelhouseError } from '@/lib/errors/error';
import { withBudget, type Budget } from './budget';
import type { Clock } from './clock';

/**
 * Work that nobody waits for, each on a budget of its own, and all of it ended with its owner. It knows its budgets,
 * rather than each of them listening to one AbortSignal: there may be as many as there are sessions, and Node takes
 * more than ten listeners for a leak.
 */
export class Background {
  readonly #budgets = new Set<Budget>();
  #over: WheelhouseError | undefined;

  constructor(private readonly clock: Clock) {}

  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Settles as `work` does; what is begun after the end has no time. `timeoutMs` in milliseconds. */
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

  /** Ends what is under way, and what is begun from now on. Called again it changes nothing. */
  end(reason: WheelhouseError): void {
    this.#over ??= reason;
    for (const budget of this.#budgets) budget.abort(this.#over);
  }
}
