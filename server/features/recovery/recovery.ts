import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { restoredMessage } from '@/lib/messages/restored';
import type { Message } from '@/lib/messages/message';
import type { SavedTab } from '@/lib/state/saved';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { restoreSaved } from '@/server/browser/state/saved';
import type { NewContext } from '@/server/fleet/browsers';
import type { Caller } from '@/server/session/caller';
import { RecentTabCloses } from './recent-tab-closes';
import { asSaved, Autosave } from './autosave';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { RECOVERY } from '@/server/session/feature-slots';
import { actorOf } from '@/server/session/participants';
import type { SessionTab } from '@/server/session/session-tab';

const MS = 1_000;

/** Carries out what the fleet decides about a session whose Chrome is lost (BR5), from what was saved. */
class Recovery implements Hooks {
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

  /**
   * Its pages are lost: aborts all running calls, reports it to everybody, and invalidates what was begun before (F1).
   */
  lost(said: Message): void {
    const { init, runningActions, timeline, services } = this.kernel;
    const { autosave } = this;
    const { tabs, active, leases } = this.#closings.ended(autosave.tabs());
    this.#lost = {
      tabs: tabs.length > 0 ? tabs : (autosave.saved?.state.tabs ?? []),
      active,
      at: services.clock.now(),
    };
    runningActions.abortAll(new WheelhouseError('BROWSER_DOWN', said));
    this.kernel.onPagesLost.emit(leases);
    void init.ledger.changeSession({ state: 'browser-down' });
    void timeline.tell({ kind: 'browser', said });
    this.kernel.changed();
  }

  /** A restarted server finds that the session's Chrome is gone, too. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void {
    this.#lost = { tabs: this.autosave.saved?.state.tabs ?? open };
    void this.kernel.timeline.tell({ kind: 'browser', said: { code } });
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

  /**
   * Restores the session in a new Chrome: saved cookies and local storage, then every tab at its address with its id,
   * label and lease. Repeats no action. Throws BROWSER_DOWN when the new Chrome is lost, too.
   */
  async moveTo(budget: Budget, browser: ChromeBrowser, contexts: readonly NewContext[]): Promise<void> {
    const { init, status } = this.kernel;
    const saved = this.autosave.saved;
    const parts = saved ? [saved.state, ...(saved.state.more ?? [])] : [];
    for (const [number, { contextId }] of contexts.entries()) {
      const part = parts[number];
      if (part) await restoreSaved(budget, browser, contextId, part);
    }
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
    if (status.state !== 'ended' && this.#lost?.active !== undefined) this.kernel.active.activate(this.#lost.active);
  }

  /**
   * The session is live again, in the pages that `moveTo` opened.
   * @param by undefined when the server restored the session automatically
   * @param same true in a new context of the same Chrome
   */
  back(by: Caller | undefined, same: boolean): void {
    const { init, status, timeline } = this.kernel;
    const { saved } = this.autosave;
    const seconds =
      saved?.at === undefined || this.#lost?.at === undefined
        ? undefined
        : Math.max(0, Math.round((this.#lost.at - saved.at) / MS));
    const restored = {
      at: new Date().toISOString(),
      saved: saved !== undefined,
      ...(seconds !== undefined && { seconds }),
    };
    status.restored = restored;
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
