import { Deferred } from '@/lib/async/deferred';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from './session';
import { fulfilledWithin } from './within';

/**
 * Time limit for a pause to stop a loop: 5 to 40 ms, up to 200 on a busy machine. Chrome acknowledges the input behind
 * the loop at once, so a shorter limit would save nothing. Milliseconds.
 */
const BRAKE = { pauseMs: 1_500, acknowledgeMs: 500, resumeMs: 500 } as const;

/**
 * `discarded`: the script ended, and input that waited behind it never reached the page. `slipped`: it ended or not,
 * and that input may land.
 */
export type InterruptOutcome = 'discarded' | 'slipped';

/**
 * Stops a page's script so that input which Chrome has queued behind it is thrown away, rather than landing when the
 * script ends (CO3): while a page stands at a breakpoint Chrome acknowledges input and drops it. Works only where the
 * debugger was on before the script began; that costs pages (docs/chrome-facts.md, Debugger), so it is on only while
 * armed. With breakpoints off a `debugger;` of the page stops nothing. `Input.insertText` is not dropped. Source:
 * Debugger.pause, Debugger.resume {terminateOnResume}; measured on Chromium 156.
 */
export class DebuggerInterrupt {
  #armed = false;
  #braking = false;
  /** Chrome may have breakpoints on that it says are off: until told again. */
  #astray = 0;
  #stands = false;

  constructor(
    private readonly session: CdpSession,
    private readonly clock: Clock,
  ) {
    session.on('Debugger.resumed', () => (this.#stands = false));
    session.on('Debugger.paused', () => {
      this.#stands = true;
      this.#pass();
    });
  }

  /** A pause that was asked for here is awaited, or lasts until what waits is thrown away. */
  get braking(): boolean {
    return this.#braking;
  }

  /**
   * Another document. In a new process Chrome has breakpoints active, and ignores `setBreakpointsActive(false)` unless
   * `true` was sent first. A `debugger;` that the page reaches before that is
   * passed (measured on Chromium 156).
   */
  moved(): void {
    if (this.#armed) void this.#quieten();
  }

  async #quieten(): Promise<void> {
    this.#astray += 1;
    this.#pass();
    void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: true });
    await this.session.sendMayFail('Debugger.setBreakpointsActive', { active: false });
    this.#astray -= 1;
  }

  /** Word of the document and of the pause come by different connections, in any order. */
  #pass(): void {
    if (this.#stands && this.#astray > 0 && !this.#braking) void this.session.sendMayFail('Debugger.resume');
  }

  /** Not awaited: a page that already hangs never answers, and cannot be interrupted. */
  arm(armed: boolean): void {
    if (armed === this.#armed) return;
    this.#armed = armed;
    this.#stands = false;
    if (armed) this.#enable();
    else void this.session.sendMayFail('Debugger.disable');
  }

  /**
   * Ends what runs now; `acknowledged` settles when Chrome has answered all that was sent to the page. `needless`
   * rejects when something else has ended it.
   */
  async stop(acknowledged: Promise<unknown>, needless?: Promise<never>): Promise<InterruptOutcome> {
    if (!this.#armed) return 'slipped';
    this.#braking = true;
    try {
      return await this.#stop(acknowledged, needless);
    } finally {
      this.#braking = false;
    }
  }

  async #stop(acknowledged: Promise<unknown>, needless: Promise<never> | undefined): Promise<InterruptOutcome> {
    const paused = new Deferred();
    const stopListening = this.session.on('Debugger.paused', () => paused.resolve());
    void this.session.sendMayFail('Debugger.setBreakpointsActive', { active: true });
    void this.session.sendMayFail('Debugger.pause');
    const stands = await fulfilledWithin(
      this.clock,
      needless ? Promise.race([paused.promise, needless]) : paused.promise,
      BRAKE.pauseMs,
    );
    stopListening();
    const dropped = stands && (await fulfilledWithin(this.clock, acknowledged, BRAKE.acknowledgeMs));
    if (stands)
      await fulfilledWithin(
        this.clock,
        this.session.sendMayFail('Debugger.resume', { terminateOnResume: true }),
        BRAKE.resumeMs,
      );
    this.#release(stands);
    return dropped ? 'discarded' : 'slipped';
  }

  /**
   * A pause that was asked for and did not come would stop the next holder's page: only switching off takes it back.
   */
  #release(stood: boolean): void {
    if (stood) {
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
 * Brakes pages of one renderer, in one of which a script runs: that one stops, and what waits for any of them is thrown
 * away with it.
 */
export async function interruptOneOf(
  brakes: readonly DebuggerInterrupt[],
  acknowledged: Promise<unknown>,
): Promise<InterruptOutcome> {
  const needless = new Deferred<never>();
  needless.promise.catch(() => undefined);
  const ends = await Promise.all(
    brakes.map(async (interrupt) => {
      const end = await interrupt.stop(acknowledged, needless.promise);
      if (end === 'discarded') needless.reject(new Error('Another interrupt of the renderer has stopped its script.'));
      return end;
    }),
  );
  return ends.includes('discarded') ? 'discarded' : 'slipped';
}
