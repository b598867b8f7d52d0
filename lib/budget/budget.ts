import { Deferred } from '@/lib/async/deferred';
import { WheelhouseError } from '@/lib/errors/error';
import type { Clock } from './clock';

/** One line of the call log that a TIMEOUT carries (BU4). `ms` is absent while the step is still going on. */
export interface BudgetStep {
  readonly label: string;
  readonly atMs: number;
  ms?: number;
}

export interface BudgetInit {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The caller's own abort, for example a client that disconnected (BU2). */
  readonly signal?: AbortSignal;
  /** When the call came in, if that was earlier: `timeoutMs` counts from then. Monotonic milliseconds. */
  readonly startedAt?: number | undefined;
}

/** Steps that a call log holds; when there are more, those in the middle are dropped. */
const MAX_STEPS = 60;

/**
 * The time left for one call (BU1): a monotonic deadline joined with the caller's abort signal. Created at the door and
 * passed down; every wait races it.
 */
export class Budget {
  readonly timeoutMs: number;
  readonly log: BudgetStep[];
  readonly #clock: Clock;
  /** When the call came in. Monotonic milliseconds. */
  readonly startedAt: number;
  readonly #deadline: number;
  /**
   * Called when the budget ends. Kept separately from the AbortSignal, which is created only on request because
   * creating it costs more than everything else here.
   */
  readonly #waiting = new Set<() => void>();
  #controller: AbortController | undefined;
  /** Set when the budget has ended, with the reason. */
  #end: { readonly why: unknown } | undefined;
  readonly #cleanups: (() => void)[] = [];

  constructor(init: BudgetInit, log: BudgetStep[] = [], startedAt = init.startedAt ?? init.clock.now()) {
    this.timeoutMs = init.timeoutMs;
    this.log = log;
    this.#clock = init.clock;
    this.startedAt = startedAt;
    this.#deadline = (init.startedAt ?? init.clock.now()) + init.timeoutMs;
    this.#cleanups.push(init.clock.after(this.remainingMs(), () => this.#over(this.#timeoutError())));
    if (init.signal) this.#follow(init.signal);
    // The time was used up before the budget was created; its timer would fire only after work has begun.
    if (init.startedAt !== undefined && this.remainingMs() === 0) {
      if (log.length === 0) log.push({ label: 'the server to begin', atMs: 0 });
      this.#over(this.#timeoutError());
    }
  }

  /** For APIs that take a signal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end && !this.#controller.signal.aborted) this.#controller.abort(this.#end.why);
    return this.#controller.signal;
  }

  remainingMs(): number {
    return Math.max(0, this.#deadline - this.#clock.now());
  }

  elapsedMs(): number {
    return this.#clock.now() - this.startedAt;
  }

  get over(): boolean {
    return this.#end !== undefined;
  }

  /** Throws what ended the budget: TIMEOUT, ABORTED, or the reason given to `abort`. */
  check(): void {
    if (this.#end) throw this.reason();
  }

  /** Why the budget ended, as the error the caller gets. */
  reason(): WheelhouseError {
    const reason = this.#end?.why;
    if (reason instanceof WheelhouseError) return reason;
    return new WheelhouseError('ABORTED', 'The call was cancelled.', { cause: reason });
  }

  /** Ends the budget early, for example when control is lost in the middle of an action. */
  abort(reason: WheelhouseError): void {
    this.#over(reason);
  }

  /**
   * Settles with `work` or with the end of the budget, whichever is first; a late rejection of `work` is swallowed on
   * purpose.
   */
  race<T>(work: Promise<T>): Promise<T> {
    if (this.#end) {
      work.catch(ignoreLate);
      return Promise.reject(this.reason());
    }
    return new Promise<T>((resolve, reject) => {
      const onEnd = (): void => reject(this.reason());
      this.#waiting.add(onEnd);
      work.then(
        (value) => {
          this.#waiting.delete(onEnd);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(onEnd);
          reject(error);
        },
      );
    });
  }

  /** Waits `ms`, or less when the budget ends first (then it throws). */
  async pause(ms: number): Promise<void> {
    const over = new Deferred();
    const cancel = this.#clock.after(ms, () => over.resolve());
    try {
      await this.race(over.promise);
    } finally {
      cancel();
    }
  }

  /**
   * Runs `work` under a child budget of at most `ms`. Throws the error of `work`, or the reason that ended the child.
   */
  async within<T>(ms: number, work: (inner: Budget) => Promise<T>, options: { reserveMs?: number } = {}): Promise<T> {
    const inner = this.child(ms, options);
    try {
      return await inner.race(work(inner));
    } finally {
      inner.dispose();
    }
  }

  /** A shorter budget inside this one, sharing its log. `reserveMs` keeps time for what must follow. */
  child(ms: number, options: { reserveMs?: number } = {}): Budget {
    const left = Math.max(0, this.remainingMs() - (options.reserveMs ?? 0));
    return this.#inside({ timeoutMs: Math.min(ms, left), clock: this.#clock });
  }

  /** A shorter budget inside this one whose `ms` count from when the call came in. */
  shortened(ms: number): Budget {
    const { startedAt } = this;
    return this.#inside({ timeoutMs: Math.min(ms, this.timeoutMs), clock: this.#clock, startedAt });
  }

  #inside(init: BudgetInit): Budget {
    const child = new Budget(init, this.log, this.startedAt);
    const forward = (): void => child.#over(this.#end?.why);
    if (this.#end) forward();
    this.#waiting.add(forward);
    child.#cleanups.push(() => this.#waiting.delete(forward));
    return child;
  }

  /** Adds a step to the call log (BU4); call the returned function when the step is done. */
  step(label: string): () => void {
    const entry: BudgetStep = { label, atMs: Math.round(this.elapsedMs()) };
    if (this.log.length >= MAX_STEPS) this.log.splice(MAX_STEPS / 2, 1);
    this.log.push(entry);
    return () => {
      entry.ms = Math.round(this.elapsedMs()) - entry.atMs;
    };
  }

  /** Runs one named step: logged from start to end, raced against the budget. */
  async during<T>(label: string, work: () => Promise<T>): Promise<T> {
    this.check();
    const done = this.step(label);
    try {
      return await this.race(work());
    } finally {
      done();
    }
  }

  /** Cancels the timer and detaches from the caller's signal. Safe to call twice. */
  dispose(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  #follow(signal: AbortSignal): void {
    const forward = (): void => this.#over(signal.reason);
    if (signal.aborted) return forward();
    signal.addEventListener('abort', forward, { once: true });
    this.#cleanups.push(() => signal.removeEventListener('abort', forward));
  }

  #over(why: unknown): void {
    if (this.#end) return;
    this.#end = { why };
    this.#controller?.abort(why);
    for (const tell of [...this.#waiting]) tell();
    this.#waiting.clear();
  }

  #timeoutError(): WheelhouseError {
    const waited = this.log.findLast((step) => step.ms === undefined);
    const what = waited ? ` while waiting for: ${waited.label}` : '';
    return new WheelhouseError('TIMEOUT', `Not done within ${this.timeoutMs} ms${what}.`, {
      details: { log: [...this.log] },
    });
  }
}

function ignoreLate(): void {
  // The caller has been answered; a later failure of `work` has no one to report to.
}

/** Makes the budget of one call. `timeoutMs` in milliseconds, already clamped by `clampTimeout`. */
export function createBudget(init: BudgetInit): Budget {
  return new Budget(init);
}

/** Creates a budget, runs `work` under it, and always disposes it. */
export async function withBudget<T>(init: BudgetInit, work: (budget: Budget) => Promise<T>): Promise<T> {
  const budget = createBudget(init);
  try {
    return await work(budget);
  } finally {
    budget.dispose();
  }
}
