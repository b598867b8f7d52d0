import { Deferred } from '@/lib/async/deferred';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from './session';
import { fulfilledWithin } from './within';

/**
 * Time limits, milliseconds. A pause stops a loop in 5 to 40 ms, in up to 200 on a busy machine. Chrome acknowledges
 * the input behind the loop at once, so shorter limits would save nothing.
 */
const INTERRUPT = { pauseMs: 1_500, acknowledgeMs: 1_500, resumeMs: 500 } as const;

/**
 * `discarded`: the script ended, and input that waited behind it never reached the page. `not-discarded`: whether the
 * script ended is unknown, and that input may still reach the page. `needless`: nothing was stopped, because the page
 * answers by itself or another interrupt has ended its script.
 */
export type InterruptOutcome = 'discarded' | 'not-discarded' | 'needless';

/**
 * Stops a page's script so that input which Chrome has queued behind it is thrown away, rather than landing when the
 * script ends (CO3): while a page stands at a breakpoint Chrome acknowledges input and drops it. Works only where the
 * debugger was on before the script began; that costs pages (docs/chrome-facts.md, Debugger), so it is on only while
 * armed. With breakpoints off a `debugger;` of the page stops nothing. `Input.insertText` is not dropped. Source:
 * Debugger.pause, Debugger.resume {terminateOnResume}; measured on Chromium 156.
 */
export class DebuggerInterrupt {
  #armed = false;
  #interrupting = false;
  #begun = 0;
  /**
   * Number of commands under way that deactivate breakpoints; until they are done the page may pause at a `debugger;`.
   */
  #unsure = 0;
  #isPaused = false;

  constructor(
    private readonly session: CdpSession,
    private readonly clock: Clock,
  ) {
    session.on('Debugger.resumed', () => (this.#isPaused = false));
    session.on('Debugger.paused', () => {
      this.#isPaused = true;
      this.#resumeStrayPause();
    });
  }

  /** Whether this instance waits for a pause, or keeps the page paused until the waiting input is discarded. */
  get interrupting(): boolean {
    return this.#interrupting;
  }

  /** Number of interrupts so far, including one under way. */
  get begun(): number {
    return this.#begun;
  }

  /**
   * Called when the page shows another document. In a new process Chrome has breakpoints active, and ignores
   * `setBreakpointsActive(false)` unless `true` was sent first. A pause at a `debugger;` of the page before that is
   * resumed (docs/chrome-facts.md, Debugger).
   */
  moved(): void {
    if (this.#armed) void this.#deactivateBreakpoints();
  }

  async #deactivateBreakpoints(): Promise<void> {
    this.#unsure += 1;
    this.#resumeStrayPause();
    void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: true });
    await this.session.sendMayFail('Debugger.setBreakpointsActive', { active: false });
    this.#unsure -= 1;
  }

  /**
   * Resumes a pause of the page's own. The events of the new document and of the pause come by different connections,
   * in any order.
   */
  #resumeStrayPause(): void {
    if (this.#isPaused && this.#unsure > 0 && !this.#interrupting) void this.session.sendMayFail('Debugger.resume');
  }

  /** Not awaited: a page that already hangs never answers, and cannot be interrupted. */
  arm(armed: boolean): void {
    if (armed === this.#armed) return;
    this.#armed = armed;
    this.#isPaused = false;
    if (armed) this.#enable();
    else void this.session.sendMayFail('Debugger.disable');
  }

  /**
   * Ends the running script; `acknowledged` settles when Chrome has answered all commands that were sent to the page.
   * `needless` rejects when there is nothing to stop any more.
   */
  async stop(acknowledged: Promise<unknown>, needless?: Promise<never>): Promise<InterruptOutcome> {
    if (!this.#armed) return 'not-discarded';
    this.#interrupting = true;
    this.#begun += 1;
    try {
      return await this.#stop(acknowledged, needless);
    } finally {
      this.#interrupting = false;
    }
  }

  async #stop(acknowledged: Promise<unknown>, needless: Promise<never> | undefined): Promise<InterruptOutcome> {
    const paused = new Deferred();
    const stopListening = this.session.on('Debugger.paused', () => paused.resolve());
    let isNeedless = false;
    needless?.catch(() => (isNeedless = true));
    void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: true });
    void this.session.sendMayFail('Debugger.pause');
    const stands = await fulfilledWithin(
      this.clock,
      needless ? Promise.race([paused.promise, needless]) : paused.promise,
      INTERRUPT.pauseMs,
    );
    stopListening();
    const dropped = stands && (await fulfilledWithin(this.clock, acknowledged, INTERRUPT.acknowledgeMs));
    if (stands)
      await fulfilledWithin(
        this.clock,
        this.session.sendMayFail('Debugger.resume', { terminateOnResume: true }),
        INTERRUPT.resumeMs,
      );
    this.#release(stands);
    if (!stands && isNeedless) return 'needless';
    return dropped ? 'discarded' : 'not-discarded';
  }

  /**
   * Takes the pause back: one that was requested and did not come would stop the next holder's page, and only disabling
   * the debugger cancels it.
   */
  #release(wasPaused: boolean): void {
    if (wasPaused) {
      void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: false });
      return;
    }
    void this.session.sendMayFail('Debugger.disable');
    if (this.#armed) this.#enable();
  }

  #enable(): void {
    void this.session.sendMayFail('Debugger.enable');
    void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: false });
  }
}

/**
 * Interrupts pages of one renderer, in one of which a script runs: that script stops, and the input that waits for any
 * of the pages is discarded with it. `answer` settles when one of them answers by itself: on a busy machine a page that
 * does not hang may answer late.
 */
export async function interruptOneOf(
  interrupts: readonly DebuggerInterrupt[],
  acknowledged: Promise<unknown>,
  answer: Promise<unknown>,
): Promise<InterruptOutcome> {
  const needless = new Deferred<never>();
  needless.promise.catch(() => undefined);
  answer.then(
    () => needless.reject(new Error('The page answers by itself.')),
    () => undefined,
  );
  const ends = await Promise.all(
    interrupts.map(async (interrupt) => {
      const end = await interrupt.stop(acknowledged, needless.promise);
      if (end === 'discarded') needless.reject(new Error('Another interrupt of the renderer has stopped its script.'));
      return end;
    }),
  );
  if (ends.includes('discarded')) return 'discarded';
  return ends.includes('not-discarded') ? 'not-discarded' : 'needless';
}
