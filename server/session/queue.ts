import { Deferred } from '@/lib/async/deferred';
import { Timer } from '@/lib/async/timers';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { storeSilent, STORE_MS } from '@/server/store/in-time';

/** Pause before a command that must be stored is tried again. Milliseconds. */
const RETRY_MS = 250;

/** The decision of a command, before it takes effect. */
export interface Decision<T> {
  /** Stores the decision; undefined when there is nothing to store. */
  readonly store?: (() => Promise<unknown>) | undefined;
  /** Called once stored: puts the decision into force and runs its effects. */
  apply(): T;
  /** Called when storing failed: drops the decision. */
  withdraw?(): void;
}

/** One command in its queue. Its result is hidden here, so that commands of all types can wait in one list. */
interface Command {
  /** Whether its caller has been answered: then it is dropped when its turn comes. */
  dropped(): boolean;
  /** Ends its wait with this error. */
  reject(error: unknown): void;
  /** Decides it. Applies it at once when there is nothing to store. */
  decide(): StoringCommand | undefined;
}

interface StoringCommand {
  readonly stored: Promise<unknown>;
  apply(): void;
  withdraw(): void;
  /** Whether it is tried again after this failure of the store. */
  triesAgain(error: unknown): boolean;
}

/**
 * Runs the commands of a session one after another: each is decided on the result of the one before, stored, and only
 * then in force. A slow store delays the commands behind it; their callers get STORE_BUSY after `STORE_MS`. A decided
 * command still takes effect if it is stored later; one that still waits is dropped.
 */
export class CommandQueue {
  readonly #waiting: Command[] = [];
  /** From the decision of a command until it is in force or has failed. */
  #busy = false;
  /** The command that is being stored, or waits to be stored again. */
  #storing: Command | undefined;
  readonly #retry: Timer;
  #over: WheelhouseError | undefined;

  /** @param fault receives an error of the server itself that no caller can receive */
  constructor(
    private readonly clock: Clock,
    readonly fault: (error: unknown) => void,
  ) {
    this.#retry = new Timer(clock);
  }

  /**
   * Settles when the command is in force; at once when it stores nothing and no other is running. Throws STORE_BUSY
   * after `STORE_MS`, what ends the budget, and the reason of `dispose`. Without a budget only `STORE_MS` bounds it.
   */
  async run<T>(budget: Budget | undefined, decide: () => Decision<T>): Promise<T> {
    budget?.check();
    const result = new Deferred<T>();
    let late = false;
    const cancel = this.clock.after(STORE_MS, () => {
      late = true;
      result.reject(storeSilent());
    });
    this.#add(commandOf(result, decide, { dropped: () => late || budget?.over === true }));
    try {
      const waits = this.#storing !== undefined || this.#waiting.length > 0;
      // The call log of the budget names the store only when the command waits for it.
      return await (budget && waits ? budget.during('the store', () => result.promise) : result.promise);
    } finally {
      cancel();
    }
  }

  /**
   * Runs a command that has no caller who could repeat it. It keeps its turn until the store has taken it, and is
   * decided anew on the present state at each try, so no later command overtakes it. Throws what `decide` throws, and
   * the reason of `dispose`.
   */
  surely<T>(decide: () => Decision<T>): Promise<T> {
    const result = new Deferred<T>();
    this.#add(commandOf(result, decide, { sure: true }));
    return result.promise;
  }

  /** Ends all waits. A command that is being stored takes no effect in this process any more. */
  dispose(why: WheelhouseError): void {
    if (this.#over) return;
    this.#over = why;
    this.#retry.stop();
    for (const command of [this.#storing, ...this.#waiting.splice(0)]) command?.reject(why);
  }

  #add(command: Command): void {
    if (this.#over) return command.reject(this.#over);
    this.#waiting.push(command);
    this.#next();
  }

  #next(): void {
    if (this.#busy || this.#over) return;
    const command = this.#waiting.shift();
    if (!command) return;
    if (command.dropped()) return this.#next();
    this.#busy = true;
    this.#carryOut(command);
  }

  #carryOut(command: Command): void {
    const deciding = attempt(command, () => command.decide());
    if (!deciding) return this.#done();
    this.#storing = command;
    deciding.stored.then(
      () => this.#answered(command, () => deciding.apply()),
      (error: unknown) => {
        const again = deciding.triesAgain(error);
        if (!again) command.reject(error);
        this.#answered(command, () => deciding.withdraw(), again);
      },
    );
  }

  /** The store has answered: `work` applies or withdraws the decision. */
  #answered(command: Command, work: () => void, again = false): void {
    if (this.#over) return;
    // Not while it is applied: its effects may end the session, which rejects the command that is being stored.
    if (!again) this.#storing = undefined;
    attempt(command, work);
    if (again) this.#retry.start(RETRY_MS, () => this.#carryOut(command));
    else this.#done();
  }

  #done(): void {
    this.#busy = false;
    this.#next();
  }
}

function commandOf<T>(
  result: Deferred<T>,
  decide: () => Decision<T>,
  { dropped = () => false, sure = false }: { readonly dropped?: () => boolean; readonly sure?: boolean },
): Command {
  return {
    dropped,
    reject: (error) => result.reject(error),
    decide: () => {
      const decision = decide();
      const apply = (): void => result.resolve(decision.apply());
      const { store } = decision;
      if (!store) return void apply();
      return {
        // An error that is thrown before anything is stored withdraws the decision as well.
        stored: (async () => store())(),
        apply,
        withdraw: () => decision.withdraw?.(),
        // Any other error is a fault of the server, which the next try would meet again.
        triesAgain: (error) => sure && error instanceof WheelhouseError && error.code === 'STORE_BUSY',
      };
    },
  };
}

/** Runs `work`; an error ends the wait for the command. */
function attempt<T>(command: Command, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    command.reject(error);
    return undefined;
  }
}
