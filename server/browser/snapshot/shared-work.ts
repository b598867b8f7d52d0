import { Deferred } from '@/lib/async/deferred';
import { createBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';

interface Job<T> {
  readonly budget: Budget;
  readonly askers: Set<Budget>;
  readonly result: Promise<T>;
  begin(): void;
}

/**
 * Runs one piece of work at a time for many callers. Callers that ask before it begins share it; those that ask while
 * it runs share the next run, since the running one may have read before they acted. Ends the work early when its last
 * caller leaves (SN8).
 */
export class SharedWork<T> {
  #running: Job<T> | undefined;
  #next: Job<T> | undefined;

  /** `work` gets a budget of its own, and the least time that one of its callers has left, milliseconds. */
  constructor(
    private readonly clock: Clock,
    private readonly work: (budget: Budget, patienceMs: number) => Promise<T>,
  ) {}

  /** Throws what ended the caller's budget, or what the work threw. */
  async ask(budget: Budget, label: string): Promise<T> {
    budget.check();
    const job = (this.#next ??= this.#plan());
    job.askers.add(budget);
    try {
      return await budget.during(label, () => job.result);
    } finally {
      job.askers.delete(budget);
      if (job.askers.size === 0) this.#abandon(job);
    }
  }

  /** Called when the last caller left: stops running work, and drops work that has not begun. */
  #abandon(job: Job<T>): void {
    job.budget.abort(new WheelhouseError('ABORTED', 'Nobody waits for it any more.'));
    if (this.#next !== job) return;
    this.#next = undefined;
    job.budget.dispose();
  }

  #plan(): Job<T> {
    const budget = createBudget({ timeoutMs: BUDGET_LIMITS.maxMs, clock: this.clock });
    const askers = new Set<Budget>();
    const begun = new Deferred();
    const result = begun.promise.then(() =>
      this.work(budget, Math.min(...[...askers].map((asker) => asker.remainingMs()))),
    );
    const job: Job<T> = { budget, askers, result, begin: () => begun.resolve() };
    result.then(
      () => this.#ended(job),
      () => this.#ended(job),
    );
    queueMicrotask(() => this.#beginNext());
    return job;
  }

  #beginNext(): void {
    if (this.#running || !this.#next) return;
    this.#running = this.#next;
    this.#next = undefined;
    this.#running.begin();
  }

  #ended(job: Job<T>): void {
    job.budget.dispose();
    this.#running = undefined;
    this.#beginNext();
  }
}
