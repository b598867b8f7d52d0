import { Deferred } from '@/lib/async/deferred';
import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';

/** A paused page reports it within this time, milliseconds. */
const SAYS_SO_MS = 500;

/**
 * Detects and resumes a page paused at another debugger's breakpoint (`debugger;` with developer tools open). Such a
 * page answers CDP but takes no input and runs no task. Chrome reports the pause to a session that enables its
 * debugger, so the session's debugger must be off before; the sentinel's may be on for its interrupt. Source:
 * Debugger.paused, Debugger.resume; seen on Chromium 156.
 */
export class Breakpoint {
  /** Serializes the checks, because Chrome reports a pause only when the debugger is newly enabled. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: CdpSession,
    private readonly clock: Clock,
  ) {}

  /** Whether the page is paused at a breakpoint. Ask only when the page's tasks do not run. */
  stands(): Promise<boolean> {
    return this.#whilePaused(async () => undefined);
  }

  /** Resumes the page; false when it is not paused. */
  resume(): Promise<boolean> {
    return this.#whilePaused(async () => void (await this.session.sendMayFail('Debugger.resume')));
  }

  #whilePaused(act: () => Promise<void>): Promise<boolean> {
    const asked = this.#turn.then(() => this.#ask(act));
    this.#turn = asked;
    return asked;
  }

  /** Turns the debugger off again; otherwise `debugger;` would pause pages for our session too. Never rejects. */
  async #ask(act: () => Promise<void>): Promise<boolean> {
    const paused = this.#paused();
    void this.session.sendMayFail('Debugger.enable');
    const stands = await paused;
    if (stands) await act();
    void this.session.sendMayFail('Debugger.disable');
    return stands;
  }

  #paused(): Promise<boolean> {
    const paused = new Deferred<true>();
    const off = this.session.on('Debugger.paused', () => paused.resolve(true));
    const stands = within(this.clock, SAYS_SO_MS, paused.promise).finally(off);
    return stands.then((answer) => answer !== LATE);
  }
}
