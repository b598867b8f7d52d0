import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CrashLog } from '@/lib/recovery/crash-log';
import { restoredMessage } from '@/lib/messages/restored';
import type { Message } from '@/lib/messages/message';
import type { SavedTab } from '@/lib/state/saved';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { restoreSaved } from '@/server/browser/state/saved';
import type { NewContext } from '@/server/session/browsers';
import type { Caller } from '@/server/session/caller';
import { RecentTabCloses } from './recent-tab-closes';
import { asSaved, Autosave } from './autosave';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { RECOVERY } from '@/server/session/queries';
import { actorOf } from '@/server/session/participants';
import type { SessionTab } from '@/server/session/session-tab';

/**
 * Number of Chrome crashes within ten minutes that are repaired automatically; the next one parks the session
 * (quality.md F2).
 */
const BROWSER_CRASHES = 2;
const MS = 1_000;

/** Handles the loss of a session's Chrome, and restores the session in another one from what was saved (BR5). */
class Recovery implements Hooks {
  readonly #crashes = new CrashLog(BROWSER_CRASHES);
  /**
   * What to reopen: the tabs at the moment Chrome was lost. `at`: when that was; undefined if no running server saw it.
   */
  #lost: { readonly tabs: readonly SavedTab[]; readonly active?: string | undefined; readonly at?: number } | undefined;

  readonly #closings: RecentTabCloses;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly autosave: Autosave,
  ) {
    this.#closings = new RecentTabCloses(kernel.services.clock);
    kernel.onTabCloses.on((sessionTab) => this.#tabCloses(sessionTab));
  }

  /** Saves changes now. Never rejects. */
  save(): Promise<void> {
    return this.autosave.save();
  }

  stopping(): Promise<void> {
    return this.save();
  }

  erase(): Promise<void> {
    return this.autosave.erase();
  }

  dispose(): void {
    this.autosave.dispose();
  }

  /**
   * Source: Target.targetDestroyed, before the tab is removed. Remembers a tab that was not closed on request, because
   * Chrome may be ending.
   */
  #tabCloses(sessionTab: SessionTab): void {
    const { tabs, active, leases } = this.kernel;
    if (!tabs.closes(sessionTab.tab.id))
      this.#closings.closes({
        tab: asSaved(sessionTab, this.kernel.init.contextRef),
        lease: leases.lease(sessionTab.tab.id),
        popup: sessionTab.tab.opener !== undefined,
        active: active.id,
      });
  }

  /** Chrome is lost: aborts all running calls, reports it to everybody, and invalidates what was begun before (F1). */
  lost(said: Message): void {
    const { init, status, runningActions, timeline, services } = this.kernel;
    const { autosave } = this;
    if (status.state !== 'live') return;
    const { tabs, active, leases } = this.#closings.ended(autosave.tabs());
    this.#lost = { tabs: tabs.length > 0 ? tabs : (autosave.kept?.state.tabs ?? []), active, at: services.clock.now() };
    status.down(said);
    runningActions.abortAll(new WheelhouseError('BROWSER_DOWN', said));
    this.kernel.onPagesLost.emit(leases);
    void init.ledger.changeSession({ state: 'browser-down' });
    void timeline.tell({ kind: 'browser', said });
    this.kernel.changed();
  }

  /** A restarted server finds that the session's Chrome is gone, too. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void {
    const { status, timeline } = this.kernel;
    const { autosave } = this;
    this.#lost = { tabs: autosave.kept?.state.tabs ?? open };
    status.down({ code: 'chromeReturning' });
    void timeline.tell({ kind: 'browser', said: { code } });
    this.kernel.changed();
  }

  /**
   * Source: Target.targetCrashed. Aborts the running actions of the tab, so that none goes on in the page that replaces
   * it (F3).
   */
  pageCrashed(targetId: string): void {
    const { registry, runningActions } = this.kernel;
    const tab = registry.byTarget(targetId)?.tab;
    if (!tab) return;
    for (const { budget } of runningActions.on(tab.id))
      budget.abort(new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' }));
    tab.crashed();
  }

  /** Counts a crash. True when the session is to be restored automatically. */
  crashed(): boolean {
    return this.#crashes.crashed(this.kernel.services.clock.now()) && this.kernel.init.policy.restartBrowser !== false;
  }

  /** Number of recent crashes of the session's Chrome. */
  get crashes(): number {
    return this.#crashes.count;
  }

  /** Reports what happens about the lost Chrome now. */
  tell(said: Message): void {
    const { status, timeline } = this.kernel;
    if (status.state !== 'browser-down') return;
    status.down(said);
    void timeline.tell({ kind: 'browser', said });
    this.kernel.changed();
  }

  /**
   * Restores the session in a new Chrome: saved cookies and local storage, then every tab at its address with its id,
   * label and lease. Repeats no action. Throws BROWSER_DOWN when the new Chrome is lost, too.
   * @param by undefined when the server restores the session automatically
   */
  async moveTo(
    budget: Budget,
    by: Caller | undefined,
    browser: ChromeBrowser,
    contexts: readonly NewContext[],
  ): Promise<void> {
    const { init, status } = this.kernel;
    const saved = this.autosave.kept;
    const parts = saved ? [saved.state, ...(saved.state.more ?? [])] : [];
    for (const [number, { contextId }] of contexts.entries()) {
      const part = parts[number];
      if (part) await restoreSaved(budget, browser, contextId, part);
    }
    const same = init.contextRef.present === browser;
    const ids = contexts.map(({ contextId }) => contextId);
    init.contextRef.move(browser, ids);
    void init.ledger.changeSession({
      browser: browser.id,
      contexts: ids,
      egressPort: contexts[0]?.egressPort ?? null,
      isolation: init.contextRef.isolation,
    });
    await this.kernel.tabs.openAgain(budget, this.#lost?.tabs ?? saved?.state.tabs ?? []);
    if (browser.gone) throw browser.gone;
    if (status.state === 'ended') return;
    if (this.#lost?.active !== undefined) this.kernel.active.activate(this.#lost.active);
    if (by?.principal.kind === 'human') this.#crashes.forget();
    this.#back(by, same);
  }

  /** @param same true in a new context of the same Chrome */
  #back(by: Caller | undefined, same: boolean): void {
    const { init, status, timeline } = this.kernel;
    const { autosave } = this;
    const saved = autosave.kept;
    const seconds =
      saved?.at === undefined || this.#lost?.at === undefined
        ? undefined
        : Math.max(0, Math.round((this.#lost.at - saved.at) / MS));
    const restored = {
      at: new Date().toISOString(),
      saved: saved !== undefined,
      ...(seconds !== undefined && { seconds }),
    };
    status.back(restored);
    void init.ledger.changeSession({ state: 'live' });
    const who = by && { actor: actorOf(by.principal), door: by.door };
    void timeline.tell({
      kind: 'browser',
      said: { code: by ? (same ? 'contextRenewed' : 'browserRenewed') : 'browserReturned' },
      ...who,
    });
    void timeline.tell({ kind: 'browser', said: restoredMessage(restored) });
    this.#lost = undefined;
    this.kernel.changed();
  }
}

/** Saves a session, and restores it when its Chrome is lost. */
export const recovery: Feature = {
  name: 'recovery',
  start: (kernel) => {
    const made = new Recovery(kernel, new Autosave(kernel));
    RECOVERY.fill(kernel, made);
    return made;
  },
};
