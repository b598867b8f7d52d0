import { openable } from '@/lib/text/mask';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { ERROR_TABLE } from '@/lib/errors/codes';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { FleetEffect } from '@/lib/fleet/fleet';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { Browsers } from '@/server/fleet/browsers';
import type { TabRecord } from '@/server/store/tabs';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from './caller';
import { RECOVERY } from './feature-slots';
import type { Session } from './session';

/**
 * Carries out what the fleet decides about sessions that lost their Chrome: informs them, and brings them back in
 * another one, without a request or on request (BR5).
 */
export class BrowserReplacements {
  /** The running attempt of each session. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly browsers: Browsers,
    private readonly session: (id: string) => Session | undefined,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    browsers.fleet.onEffect.on((effect) => this.#carryOut(effect));
  }

  #carryOut(effect: FleetEffect): void {
    const session = 'session' in effect ? this.session(effect.session) : undefined;
    if (!session) return;
    if (effect.type === 'lose') RECOVERY.of(session).lost(effect.said);
    else if (effect.type === 'bring-back') void this.#byItself(session, effect.attempt);
    else if (effect.type === 'tell') {
      void session.timeline.tell({ kind: 'browser', said: effect.said });
      session.changed();
    }
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
    this.browsers.fleet.apply({ type: 'found', session: session.id });
    session.changed();
  }

  /**
   * Replaces a session's Chrome on request. A person's request also ends a Chrome that does not answer. Moves a session
   * whose pages have no network to a new context in the same Chrome, with the state saved now. Throws CONFLICT while
   * the Chrome runs, or while another is starting.
   */
  async asked(budget: Budget, caller: Caller, session: Session): Promise<void> {
    const { contextRef } = session.init;
    const sick =
      caller.principal.kind === 'human' &&
      session.state === 'live' &&
      (await budget.race(this.browsers.endSilent(contextRef.browser)));
    // The crash may have started an automatic recovery: wait for it.
    if (sick) await budget.race(Promise.allSettled([this.#running.get(session.id)]));
    if (sick && session.state === 'live') return;
    const renew = session.state === 'live' && contextRef.egress?.state === 'closed';
    if (renew) await RECOVERY.of(session).save();
    const { fleet } = this.browsers;
    const refusal = fleet.apply({ type: 'asked', session: session.id, renew });
    const place = fleet.placeOf(session.id);
    if (refusal === 'starting') throw new WheelhouseError('CONFLICT', { code: 'browserStarting' });
    if (place?.at !== 'lost') throw await this.#notDown(budget, contextRef.browser);
    await this.#begin(budget, caller, session, place.attempt);
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

  async #byItself(session: Session, attempt: number): Promise<void> {
    try {
      await this.browsers.background.run(BUDGET_LIMITS.launchMs, (budget) =>
        this.#begin(budget, undefined, session, attempt),
      );
    } catch (error) {
      if (!this.browsers.background.over)
        this.logger.error({ session: session.id, reason: messageOf(error) }, 'a session could not be brought back');
    }
  }

  async #begin(budget: Budget, by: Caller | undefined, session: Session, attempt: number): Promise<void> {
    const work = this.#attempt(budget, by, session, attempt);
    this.#running.set(session.id, work);
    try {
      await work;
    } finally {
      if (this.#running.get(session.id) === work) this.#running.delete(session.id);
    }
  }

  async #attempt(budget: Budget, by: Caller | undefined, session: Session, attempt: number): Promise<void> {
    let browser: ChromeBrowser | undefined;
    try {
      browser = await this.#chromeFor(budget, session);
      await this.#moveTo(budget, by, session, attempt, browser);
    } catch (error) {
      const why = by || this.browsers.background.over ? undefined : notReturned(error);
      const noChrome = browser === undefined;
      this.browsers.fleet.apply({ type: 'not-back', session: session.id, attempt, why, noChrome });
      throw error;
    }
  }

  async #moveTo(
    budget: Budget,
    by: Caller | undefined,
    session: Session,
    attempt: number,
    browser: ChromeBrowser,
  ): Promise<void> {
    const { browsers } = this;
    const ended = (): boolean => session.state === 'ended';
    if (ended()) return browsers.isDedicated(browser) ? browsers.remove(browser) : undefined;
    const { present, contexts: before } = session.init.contextRef;
    const contexts = await browsers.makeContexts(budget, browser, { session: session.id }, Math.max(1, before.length));
    const dispose = async (ids: readonly string[]): Promise<void> => {
      await Promise.all(ids.map((contextId) => browser.disposeContext(this.clock, contextId)));
    };
    let isBack = false;
    try {
      await RECOVERY.of(session).moveTo(budget, browser, contexts);
      isBack = this.#isBack(by, session, attempt, browser);
      if (isBack) RECOVERY.of(session).back(by, present === browser);
      else if (!ended()) throw browser.gone ?? new WheelhouseError('BROWSER_DOWN', { code: 'chromeGone' });
    } finally {
      // Ending the session closed its former proxy listener; this closes the new one.
      if (ended()) await browsers.chromeEgress.close(session.id);
      // Also when it has failed: the session does not use them any more.
      if (present === browser) await dispose(before.filter((contextId) => !session.init.contextRef.owns(contextId)));
      if (!isBack)
        await (browsers.isDedicated(browser)
          ? browsers.remove(browser)
          : dispose(contexts.map(({ contextId }) => contextId)));
    }
  }

  #isBack(by: Caller | undefined, { id: session }: Session, attempt: number, { id: chrome }: ChromeBrowser): boolean {
    const forgive = by?.principal.kind === 'human';
    return this.browsers.fleet.apply({ type: 'back', session, attempt, chrome, forgive }) === undefined;
  }

  async #chromeFor(budget: Budget, session: Session): Promise<ChromeBrowser> {
    const { present, isolation } = session.init.contextRef;
    if (present && !present.gone) return present;
    return isolation === 'browser'
      ? this.browsers.launch(budget, session.workspace, true)
      : this.browsers.shared(budget, session.workspace);
  }
}

/** The error's message, with its hint unless that is the default hint of its code. */
function notReturned(error: unknown) {
  const cure = error instanceof WheelhouseError && error.hint !== ERROR_TABLE[error.code].hint ? ` ${error.hint}` : '';
  return { code: 'chromeNotReturned', reason: messageOf(error) + cure } as const;
}
