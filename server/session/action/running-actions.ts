import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { PageWatch } from '@/server/browser/page-watch';

/**
 * Whether the outcome of an aborted action is `known`, as its error says, or `unknown` because its last write may have
 * taken effect (CO3).
 */
export type ActionFate = 'known' | 'unknown';

/** Name of a write that lasts until a whole script ends, rather than one command. */
const SCRIPT = 'a script';
/** Chrome inserts text even while the page is paused. */
const NOT_DROPPED = 'Input.insertText';
/** Page commands, such as navigations, do not count as unsettled: everybody sees that the page is loading. */
const LOADS = /^Page\./;

/** A running action, with its writes that Chrome has not acknowledged yet. */
export class RunningAction {
  readonly #pending = new Map<symbol, string>();
  #waiting: { readonly over: () => boolean; readonly done: () => void }[] = [];
  #fate: Promise<ActionFate> | undefined;
  /** The document that its first input was written to. */
  #inputLoaderId: string | undefined;
  #inputMayBeLost = false;

  constructor(
    readonly tab: string,
    readonly actor: string,
    readonly budget: Budget,
  ) {}

  get pendingWrites(): number {
    return this.#pending.size;
  }

  /**
   * Whether a write that may still take effect (a key, a click, a navigation) waits for Chrome. Scripts do not count:
   * they can be terminated.
   */
  get mayLand(): boolean {
    return [...this.#pending.values()].some((what) => what !== SCRIPT);
  }

  /** Whether a script of this action runs. */
  get scripted(): boolean {
    return [...this.#pending.values()].includes(SCRIPT);
  }

  /** Whether inserted text waits, which Chrome applies even while the page is paused in the debugger. */
  get mayLandPaused(): boolean {
    return [...this.#pending.values()].includes(NOT_DROPPED);
  }

  /** Whether Chrome has not acknowledged input or a script of this action. */
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

  /**
   * Whether input was written while another page was requested, or after another page had replaced the first. Between
   * two pages Chrome acknowledges input and drops it (docs/chrome-facts.md, Input).
   */
  get inputMayBeLost(): boolean {
    return this.#inputMayBeLost;
  }

  /** Call right before input is written to the page. */
  writesInput({ document, awaited }: Pick<PageWatch, 'document' | 'awaited'>): void {
    this.#inputLoaderId ??= document.loaderId;
    if (awaited !== undefined || document.loaderId !== this.#inputLoaderId) this.#inputMayBeLost = true;
  }

  /** Waits until Chrome has acknowledged every write. */
  quiet(): Promise<void> {
    return this.#once(() => this.#pending.size === 0);
  }

  /** Waits until Chrome has acknowledged its input and scripts. */
  settled(): Promise<void> {
    return this.#once(() => !this.unsettled);
  }

  /** Waits until Chrome has acknowledged every write except scripts. */
  landed(): Promise<void> {
    return this.#once(() => !this.mayLand);
  }

  #once(over: () => boolean): Promise<void> {
    return over() ? Promise.resolve() : new Promise((done) => this.#waiting.push({ over, done }));
  }

  /** Aborts the action with `error`; `fate` settles soon with whether its outcome is known. */
  lose(error: WheelhouseError, fate: Promise<ActionFate>): void {
    this.#fate ??= fate;
    this.budget.abort(error);
  }

  /** The error for the caller: OUTCOME_UNKNOWN when the outcome is unknown. */
  async judged(error: unknown): Promise<unknown> {
    if ((await this.#fate) !== 'unknown' || !(error instanceof WheelhouseError)) return error;
    return new WheelhouseError(
      'OUTCOME_UNKNOWN',
      `${error.message} What was being done then may have happened or not: Chrome could not be stopped in time.`,
      { details: { ...error.details, lost: error.code }, cause: error },
    );
  }
}

/** The running actions of a session, so that a takeover can end them (CO3). */
export class RunningActions {
  readonly #running = new Set<RunningAction>();

  /**
   * Registers an action; call the returned function when it is answered. It stays listed until Chrome has acknowledged
   * all its writes.
   */
  start(running: RunningAction): () => void {
    this.#running.add(running);
    return () => {
      if (running.pendingWrites === 0) this.#running.delete(running);
      else void running.quiet().then(() => this.#running.delete(running));
    };
  }

  get size(): number {
    return this.#running.size;
  }

  of(tab: string, actor: string): RunningAction[] {
    return [...this.#running].filter((running) => running.tab === tab && running.actor === actor);
  }

  /** Whether Chrome has not acknowledged input or a script of this participant in the tab. */
  busy(tab: string, actor: string): boolean {
    return this.of(tab, actor).some((running) => running.unsettled);
  }

  on(tab: string): RunningAction[] {
    return [...this.#running].filter((running) => running.tab === tab);
  }

  all(): RunningAction[] {
    return [...this.#running];
  }

  /** Aborts all actions with one error, for example because the browser is gone. */
  abortAll(error: WheelhouseError): void {
    for (const running of this.#running) running.budget.abort(error);
  }
}
