import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { DebuggerInterrupt } from './debugger-interrupt';
import type { CdpSession } from './session';
import { fulfilledWithin } from './within';

/** Most time for a page or frame that was found hung to answer when it is acted on again. Milliseconds. */
const SECOND_CHANCE_MS = 1_500;

export type Termination = 'acknowledged' | 'pending';

/**
 * A pending question to a page's main thread; `within` tells whether it is answered within so many more milliseconds.
 */
export interface LivenessProbe {
  within(ms: number): Promise<boolean>;
}

/**
 * A session that was attached before the script, and so can end it (EV2): Chrome attaches a session after a loop began,
 * but never answers it (docs/chrome-facts.md, Scripts). Source: Runtime.terminateExecution.
 */
export class Sentinel {
  /** Ends a script together with the input that waits behind it. */
  readonly interrupt: DebuggerInterrupt;

  constructor(
    private readonly session: CdpSession,
    private readonly clock: Clock,
  ) {
    this.interrupt = new DebuggerInterrupt(session, clock);
  }

  /** Whether the page's main thread answers within `withinMs`; a dialog or a loop keeps it from answering. */
  async answers(withinMs: number): Promise<boolean> {
    return this.ask().within(withinMs);
  }

  /** Whether a page that was found hung answers now; asks for at most half of what is left of the budget. */
  async answersAgain(budget: Budget): Promise<boolean> {
    return budget.race(this.answers(Math.min(SECOND_CHANCE_MS, budget.remainingMs() / 2)));
  }

  /** One question, whose answer can be waited for more than once. */
  ask(): LivenessProbe {
    const answer = this.whenAnswers();
    answer.catch(() => undefined);
    return { within: (ms) => fulfilledWithin(this.clock, answer, ms) };
  }

  /** Calls `callback` after `ms`; the returned function cancels that. */
  later(ms: number, callback: () => void): () => void {
    return this.clock.after(ms, callback);
  }

  /** Settles when the main thread answers, however late; rejects when the tab ends. */
  async whenAnswers(): Promise<void> {
    await this.session.send('Runtime.evaluate', { expression: '0', returnByValue: true });
  }

  /**
   * Settles when the page runs its next task. A page paused at a breakpoint answers CDP but runs no task (Chromium
   * 156); nor does one with virtual time.
   */
  async whenTurns(): Promise<void> {
    await this.session.send('Runtime.evaluate', {
      expression: 'new Promise((resolve) => setTimeout(resolve, 0))',
      awaitPromise: true,
      returnByValue: true,
    });
  }

  /** Whether the page runs its next task within `withinMs`. */
  turns(withinMs: number): Promise<boolean> {
    return fulfilledWithin(this.clock, this.whenTurns(), withinMs);
  }

  /**
   * Identifies the JavaScript engine that serves the page: pages with the same one hang together. Answered when the
   * main thread is free. Source: Runtime.getIsolateId.
   */
  async isolate(): Promise<string | undefined> {
    return (await this.session.sendMayFail('Runtime.getIsolateId'))?.id;
  }

  /** Makes Chrome add up the time of the page's own scripts from now on. Source: Performance.enable. */
  measureScripts(): void {
    void this.session.sendMayFail('Performance.enable');
  }

  /**
   * Seconds that handlers and scripts of the page have run, answered also while one runs (Chromium 156); undefined
   * without an answer within `withinMs`. Source: Performance.getMetrics.
   */
  scriptTime(withinMs: number): Promise<number | undefined> {
    return this.#metric('ScriptDuration', withinMs);
  }

  /** Seconds of processor time of the whole process that serves the page. Source: Performance.getMetrics. */
  processTime(withinMs: number): Promise<number | undefined> {
    return this.#metric('ProcessTime', withinMs);
  }

  async #metric(wanted: 'ScriptDuration' | 'ProcessTime', withinMs: number): Promise<number | undefined> {
    let seconds: number | undefined;
    const told = this.session.send('Performance.getMetrics').then(({ metrics }) => {
      seconds = metrics.find(({ name }) => name === wanted)?.value;
    });
    await fulfilledWithin(this.clock, told, withinMs);
    return seconds;
  }

  /**
   * Asks Chrome to end the running script. `pending`: not acknowledged within `withinMs`; `onLate` is called if the
   * acknowledgement comes later.
   */
  async terminate(withinMs: number, onLate: () => void = () => undefined): Promise<Termination> {
    let late = false;
    const ended = this.session.send('Runtime.terminateExecution').then(() => {
      if (late) onLate();
    });
    if (await fulfilledWithin(this.clock, ended, withinMs)) return 'acknowledged';
    late = true;
    return 'pending';
  }
}
