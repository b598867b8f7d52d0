import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';

/**
 * What became of an action that was cut short: `known`, as its error says, or nobody can tell whether its last write
 * took effect (CO3).
 */
export type ActionFate = 'known' | 'unknown';

/** A write that counts until a whole script has ended, rather than one command. */
const SCRIPT = 'a script';
/** Chrome carries these out although the page stands still. */
const NOT_DROPPED = 'Input.insertText';
/** Another page that was asked for may come in its own time: everybody sees that it is on its way. */
const LOADS = /^Page\./;

/** One action that is being carried out, with what Chrome has not acknowledged yet. */
export class RunningAction {
  readonly #pending = new Map<symbol, string>();
  #waiting: { readonly over: () => boolean; readonly done: () => void }[] = [];
  #fate: Promise<ActionFate> | undefined;

  constructor(
    readonly tab: string,
    readonly actor: string,
    readonly budget: Budget,
  ) {}

  get pendingWrites(): number {
    return this.#pending.size;
  }

  /**
   * Something that acts on the page by itself waits for Chrome's answer: a key, a click, another page; scripts are
   * ended, these land or not.
   */
  get mayLand(): boolean {
    return [...this.#pending.values()].some((what) => what !== SCRIPT);
  }

  /** A script of its sender runs. */
  get scripted(): boolean {
    return [...this.#pending.values()].includes(SCRIPT);
  }

  /** Text waits that Chrome puts into the page also while this stands at a breakpoint. */
  get mayLandPaused(): boolean {
    return [...this.#pending.values()].includes(NOT_DROPPED);
  }

  /** Input or a script of it is on its way to the page. */
  get unsettled(): boolean {
    return [...this.#pending.values()].some((what) => !LOADS.test(what));
  }

  /** Counts one write until Chrome answers it, whatever the answer. */
  async written<T>(write: Promise<T>, what: string = SCRIPT): Promise<T> {
    const key = Symbol(what);
    this.#pending.set(key, what);
    try {
      return await write;
    } finally {
      this.#pending.delete(key);
      const over = this.#waiting.filter((one) => one.over());
      this.#waiting = this.#waiting.filter((one) => !over.includes(one));
      for (const { done } of over) done();
    }
  }

  /** Settles when Chrome has acknowledged every write. */
  quiet(): Promise<void> {
    return this.#once(() => this.#pending.size === 0);
  }

  /** Settles when none of its input or scripts is on its way any more. */
  settled(): Promise<void> {
    return this.#once(() => !this.unsettled);
  }

  /** Settles when nothing that may land waits any more; a script may still run. */
  landed(): Promise<void> {
    return this.#once(() => !this.mayLand);
  }

  #once(over: () => boolean): Promise<void> {
    return over() ? Promise.resolve() : new Promise((done) => this.#waiting.push({ over, done }));
  }

  /** Ends it for `error`; what became of it is told by `fate`, soon. */
  lose(error: WheelhouseError, fate: Promise<ActionFate>): void {
    this.#fate ??= fate;
    this.budget.abort(error);
  }

  /** What the caller is told: where nobody knows what became of it, just that. */
  async judged(error: unknown): Promise<unknown> {
    if ((await this.#fate) !== 'unknown' || !(error instanceof WheelhouseError)) return error;
    return new WheelhouseError(
      'OUTCOME_UNKNOWN',
      `${error.message} What was being done then may have happened or not: Chrome could not be stopped in time.`,
      { details: { ...error.details, lost: error.code }, cause: error },
    );
  }
}

/** What runs in a session, so that a takeover can end it (CO3). */
export class RunningActions {
  readonly #running = new Set<RunningAction>();

  /** The returned function says that it was answered; it is known here until Chrome has acknowledged all of it. */
  start(running: RunningAction): () => void {
    this.#running.add(running);
    return () => {
      if (running.pendingWrites === 0) this.#running.delete(running);
      else void running.quiet().then(() => this.#running.delete(running));
    };
  }

  of(tab: string, actor: string): RunningAction[] {
    return [...this.#running].filter((running) => running.tab === tab && running.actor === actor);
  }

  /** Input or a script of this participant is on its way to the tab's page. */
  busy(tab: string, actor: string): boolean {
    return this.of(tab, actor).some((running) => running.unsettled);
  }

  on(tab: string): RunningAction[] {
    return [...this.#running].filter((running) => running.tab === tab);
  }

  all(): RunningAction[] {
    return [...this.#running];
  }

  /** Ends everything with one reason, for example because the browser is gone. */
  abortAll(error: WheelhouseError): void {
    for (const running of this.#running) running.budget.abort(error);
  }
}
