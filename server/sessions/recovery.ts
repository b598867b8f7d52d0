import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { CrashLog } from '@/lib/recovery/crash-log';
import { saidOfRestored } from '@/lib/said/restored';
import type { Said } from '@/lib/said/said';
import type { SavedTab } from '@/lib/state/saved';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { giveSaved } from '@/server/browser/state/saved';
import type { ActiveTab } from './active-tab';
import type { Caller } from './caller';
import { Closings } from './closings';
import type { ControlDesk } from './control-desk';
import type { Handover } from './handover';
import type { InFlight } from './in-flight';
import { asSaved, type Keeping } from './keeping';
import type { Life } from './life';
import { actorOf } from './participants';
import type { SessionFiles } from './session-files';
import type { SessionInit } from './session-parts';
import type { SessionTabs } from './session-tabs';
import type { TabBook } from './tab-book';
import type { Timeline } from './timeline';

export interface RecoveryDeps {
  readonly init: SessionInit;
  readonly life: Life;
  readonly keeping: Keeping;
  readonly desk: ControlDesk;
  readonly book: TabBook;
  readonly tabs: SessionTabs;
  readonly files: SessionFiles;
  readonly inFlight: InFlight;
  readonly handover: Handover;
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly active: ActiveTab;
  readonly changed: () => void;
}

/**
 * Crashes of Chrome within ten minutes that are mended without asking; the next one parks the session (quality.md F2).
 */
const BROWSER_CRASHES = 2;
const MS = 1_000;

/** Loses a session's Chrome and brings it back in another one, as far as it was saved (BR5). */
export class Recovery {
  readonly #crashes = new CrashLog(BROWSER_CRASHES);
  /**
   * What is to be opened anew: the tabs at the moment Chrome was gone. When that was, unless no server of ours saw it.
   */
  #lost: { readonly tabs: readonly SavedTab[]; readonly active?: string | undefined; readonly at?: number } | undefined;

  readonly #closings: Closings;

  constructor(private readonly deps: RecoveryDeps) {
    this.#closings = new Closings(deps.clock);
  }

  /** Target.targetDestroyed, before its tab is let go. */
  tabCloses(targetId: string): void {
    const { book, tabs, active, desk } = this.deps;
    const seat = book.byTarget(targetId);
    if (seat && !tabs.closes(seat.tab.id))
      this.#closings.closes({
        tab: asSaved(seat),
        lease: desk.lease(seat.tab.id),
        popup: seat.tab.opener !== undefined,
        active: active.id,
      });
  }

  /**
   * Chrome is gone: every waiting call is answered, everybody told, and nothing that was begun before counts any more
   * (F1).
   */
  lost(said: Said): void {
    const { init, life, inFlight, handover, timeline, book, keeping, clock, changed } = this.deps;
    if (life.state !== 'live') return;
    const { tabs, active, leases } = this.#closings.ended(keeping.tabs());
    this.#lost = { tabs: tabs.length > 0 ? tabs : (keeping.kept?.state.tabs ?? []), active, at: clock.now() };
    const { text } = life.down(said);
    inFlight.abortAll(new WheelhouseError('BROWSER_DOWN', said));
    handover.renewed(leases);
    init.ledger.changeSession({ state: 'browser-down' });
    timeline.tell({ kind: 'browser', said });
    for (const seat of book.all()) seat.streams.end(text);
    changed();
  }

  /** The server that saw it live is gone, and its Chrome. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void {
    const { life, keeping, timeline, changed } = this.deps;
    this.#lost = { tabs: keeping.kept?.state.tabs ?? open };
    life.down({ code: 'chromeReturning' });
    timeline.tell({ kind: 'browser', said: { code } });
    changed();
  }

  /**
   * Target.targetCrashed: what was under way in the page ends, also what would go on in the one that takes its place
   * (F3).
   */
  pageCrashed(targetId: string): void {
    const { book, inFlight } = this.deps;
    const tab = book.byTarget(targetId)?.tab;
    if (!tab) return;
    for (const { budget } of inFlight.on(tab.id))
      budget.abort(new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' }));
    tab.crashed();
  }

  /** Counts a crash. True: the session is to be brought back without anybody being asked. */
  crashed(): boolean {
    return this.#crashes.crashed(this.deps.clock.now()) && this.deps.init.policy.restartBrowser !== false;
  }

  /** How often its Chrome crashed lately. */
  get crashes(): number {
    return this.#crashes.count;
  }

  /** Says what is done about the lost Chrome now. */
  tell(said: Said): void {
    const { life, timeline, changed } = this.deps;
    if (life.state !== 'browser-down') return;
    life.down(said);
    timeline.tell({ kind: 'browser', said });
    changed();
  }

  /**
   * Goes on in a new Chrome: cookies and local storage as they were saved, then every tab at its address, with id,
   * label and wheel. Nothing that was done before is done again. `by` undefined: without anybody having asked. Throws
   * BROWSER_DOWN when that Chrome is gone, too.
   */
  async moveTo(
    budget: Budget,
    by: Caller | undefined,
    browser: ChromeBrowser,
    { contextId, egressPort = null }: { readonly contextId: string; readonly egressPort?: number | null | undefined },
  ): Promise<void> {
    const { init, life, files } = this.deps;
    const saved = this.deps.keeping.kept;
    if (saved) await giveSaved(budget, browser, contextId, saved.state);
    const same = init.home.present === browser;
    init.home.move(browser, contextId);
    init.ledger.changeSession({ browser: browser.id, contextId, egressPort, isolation: init.home.isolation });
    files.followHome();
    await this.deps.tabs.openAgain(budget, this.#lost?.tabs ?? saved?.state.tabs ?? []);
    if (browser.gone) throw browser.gone;
    if (life.state === 'ended') return;
    if (this.#lost?.active !== undefined) this.deps.active.activate(this.#lost.active);
    if (by?.principal.kind === 'human') this.#crashes.forget();
    this.#back(by, same);
  }

  /** @param same in a new context of the same Chrome */
  #back(by: Caller | undefined, same: boolean): void {
    const { init, life, keeping, timeline, changed } = this.deps;
    const saved = keeping.kept;
    const seconds =
      saved?.at === undefined || this.#lost?.at === undefined
        ? undefined
        : Math.max(0, Math.round((this.#lost.at - saved.at) / MS));
    const restored = {
      at: new Date().toISOString(),
      saved: saved !== undefined,
      ...(seconds !== undefined && { seconds }),
    };
    life.back(restored);
    init.ledger.changeSession({ state: 'live' });
    const who = by && { actor: actorOf(by.principal), door: by.door };
    timeline.tell({
      kind: 'browser',
      said: { code: by ? (same ? 'contextRenewed' : 'browserRenewed') : 'browserReturned' },
      ...who,
    });
    timeline.tell({ kind: 'browser', said: saidOfRestored(restored) });
    this.#lost = undefined;
    changed();
  }
}
