import { openable } from '@/lib/text/mask';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { ERROR_TABLE } from '@/lib/errors/codes';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { TabRecord } from '@/server/store/tabs';
import type { Logger } from '@/server/telemetry/logger';
import type { Browsers } from './browsers';
import type { Caller } from './caller';
import { RECOVERY } from './queries';
import type { Session } from './session';

/** Starts a new Chrome for sessions that lost theirs: automatically as far as policy allows, else on request (BR5). */
export class BrowserReplacements {
  readonly #running = new Map<string, Promise<void>>();
  /** Sessions for which no Chrome could be started. */
  readonly #waiting = new Set<Session>();

  constructor(
    private readonly browsers: Browsers,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Handles the loss of these sessions' Chrome. Replaces a launched Chrome that crashed; after repeated crashes, or for
   * an attached Chrome, the session waits for a request.
   */
  lost(sessions: readonly Session[], said: Message): void {
    for (const session of sessions) {
      try {
        this.#lost(session, said);
      } catch (error) {
        // A failure for one session, for example a locked store, must not keep the others from recovering (F16).
        this.logger.error(
          { session: session.id, reason: messageOf(error) },
          'the end of its Chrome could not be told to a session',
        );
      }
    }
  }

  #lost(session: Session, said: Message): void {
    const { init } = session;
    const recovery = RECOVERY.of(session);
    if (said.code !== 'chromeGone' || init.contextRef.browser.origin !== 'launched' || session.state !== 'live')
      recovery.lost(said);
    else if (recovery.crashed()) {
      recovery.lost({ code: 'chromeReturning' });
      void this.#byItself(session);
    } else recovery.lost(recovery.crashes > 1 ? { code: 'chromeParked', times: recovery.crashes } : said);
  }

  /**
   * Recovers a session of the last server whose Chrome is gone as well, with the saved tabs, else with those that were
   * open.
   */
  found(session: Session, rows: readonly TabRecord[], why: 'serverAndChromeGone' | 'chromeOutdated'): void {
    RECOVERY.of(session).found(
      rows
        .filter(({ closedAt }) => closedAt === null)
        .map(({ id, label, url, lastRef }) => ({ id, label: label ?? undefined, url: openable(url), lastRef })),
      why,
    );
    void this.#byItself(session);
  }

  /** Retries the waiting sessions after a Chrome has started; each once per failed attempt. */
  started(): void {
    for (const session of this.#waiting) {
      if (this.#running.has(session.id)) continue;
      this.#waiting.delete(session);
      if (session.state !== 'browser-down') continue;
      RECOVERY.of(session).tell({ code: 'chromeReturning' });
      void this.#byItself(session);
    }
  }

  /**
   * Replaces a session's Chrome on request. A person's request also ends a Chrome that does not answer. Throws CONFLICT
   * while the Chrome runs, or while another is starting.
   */
  async asked(budget: Budget, caller: Caller, session: Session): Promise<void> {
    const sick =
      caller.principal.kind === 'human' &&
      session.state === 'live' &&
      (await budget.race(this.browsers.endSilent(session.init.contextRef.browser)));
    // The crash may have started an automatic recovery: wait for it.
    if (sick && this.#running.has(session.id)) await budget.race(Promise.allSettled([this.#running.get(session.id)]));
    if (sick && session.state === 'live') return;
    if (session.state === 'live' && session.init.contextRef.egress?.state === 'closed')
      return this.#renew(budget, caller, session);
    if (session.state !== 'browser-down') throw await this.#notDown(budget, session.init.contextRef.browser);
    if (this.#running.has(session.id)) throw new WheelhouseError('CONFLICT', { code: 'browserStarting' });
    await this.#begin(budget, caller, session);
  }

  /** Moves a session whose pages have no network to a new context in the same Chrome, with the state saved now. */
  async #renew(budget: Budget, caller: Caller, session: Session): Promise<void> {
    await RECOVERY.of(session).save();
    RECOVERY.of(session).lost({ code: 'contextRenewing' });
    await this.#begin(budget, caller, session);
  }

  /** The CONFLICT error: the Chrome runs, or it is attached and does not answer, so only its owner can restart it. */
  async #notDown(budget: Budget, browser: ChromeBrowser): Promise<WheelhouseError> {
    if (browser.origin === 'launched' || (await budget.race(this.browsers.answers(browser))))
      return new WheelhouseError('CONFLICT', { code: 'browserRuns' });
    return new WheelhouseError('CONFLICT', { code: 'attachedSilent' }, { hint: { code: 'attachedSilentCure' } });
  }

  /** Waits until no recovery is running. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Tries once per crash; a failure is reported, and the session then waits for a request. */
  async #byItself(session: Session): Promise<void> {
    try {
      await this.browsers.background.run(BUDGET_LIMITS.launchMs, (budget) => this.#begin(budget, undefined, session));
    } catch (error) {
      if (this.browsers.background.over) return;
      this.logger.error({ session: session.id, reason: messageOf(error) }, 'a session could not be brought back');
      RECOVERY.of(session).tell({ code: 'chromeNotReturned', reason: reasonOf(error) });
    }
  }

  #begin(budget: Budget, by: Caller | undefined, session: Session): Promise<void> {
    const work = this.#revive(budget, by, session).finally(() => this.#running.delete(session.id));
    this.#running.set(session.id, work);
    return work;
  }

  async #revive(budget: Budget, by: Caller | undefined, session: Session): Promise<void> {
    const { browsers } = this;
    const browser = await this.#chromeFor(budget, session);
    const ended = (): boolean => session.state === 'ended';
    if (ended()) return browsers.isDedicated(browser) ? browsers.remove(browser) : undefined;
    const { present, contexts: before } = session.init.contextRef;
    const contexts = await browsers.makeContexts(budget, browser, { session: session.id }, Math.max(1, before.length));
    const dispose = async (ids: readonly string[]): Promise<void> => {
      await Promise.all(ids.map((contextId) => browser.disposeContext(this.clock, contextId)));
    };
    try {
      await RECOVERY.of(session).moveTo(budget, by, browser, contexts);
      if (present === browser) await dispose(before);
    } finally {
      // Ending the session closed its former proxy listener; this closes the new one.
      if (ended()) await browsers.chromeEgress.close(session.id);
      if (session.state !== 'live')
        await (browsers.isDedicated(browser)
          ? browsers.remove(browser)
          : dispose(contexts.map(({ contextId }) => contextId)));
    }
  }

  async #chromeFor(budget: Budget, session: Session): Promise<ChromeBrowser> {
    const { browsers } = this;
    const { present, isolation } = session.init.contextRef;
    this.#waiting.delete(session);
    if (present && !present.gone) return present;
    try {
      return isolation === 'browser'
        ? await browsers.launch(budget, session.workspace, true)
        : await browsers.shared(budget, session.workspace);
    } catch (error) {
      this.#waiting.add(session);
      throw error;
    }
  }
}

/** The error's message, with its hint unless that is the default hint of its code. */
function reasonOf(error: unknown): string {
  const cure = error instanceof WheelhouseError && error.hint !== ERROR_TABLE[error.code].hint ? ` ${error.hint}` : '';
  return messageOf(error) + cure;
}
