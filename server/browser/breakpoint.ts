import { Deferred } from '@/lib/async/deferred';
import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';

/** A page at a breakpoint says so within this. Milliseconds. */
const SAYS_SO_MS = 500;

/**
 * A page that stands at a breakpoint of somebody else's debugger (`debugger;` while developer tools are open). A page
 * that is paused so answers CDP, but takes no input and runs no task; a session that enables its debugger then is told
 * at once. Asked on a session whose debugger is off (the sentinel's may be on already, for its brake, and would not be
 * told). Source: Debugger.paused, Debugger.resume; seen on Chromium 156.
 */
export class Breakpoint {
  /** One question at a time: Chrome tells of a pause only when the debugger goes on. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: CdpSession,
    private readonly clock: Clock,
  ) {}

  /** Does the page stand at a breakpoint? Asked of a page whose tasks do not run. */
  stands(): Promise<boolean> {
    return this.#whilePaused(async () => undefined);
  }

  /** Lets it go on; false when it does not stand at one. */
  resume(): Promise<boolean> {
    return this.#whilePaused(async () => void (await this.session.sendMayFail('Debugger.resume')));
  }

  #whilePaused(act: () => Promise<void>): Promise<boolean> {
    const asked = this.#turn.then(() => this.#ask(act));
    this.#turn = asked;
    return asked;
  }

  /** The debugger is off again afterwards: with it on, `debugger;` would stop pages for us too. Never rejects. */
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
