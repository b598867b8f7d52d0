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
 * Crashes of Chrome within ten minutes that are mended without asking; the next one parks the session (quality.md F2).
 */
const BROWSER_CRASHES = 2;
const MS = 1_000;

/** Loses a session's Chrome and brings it back in another one, as far as it was saved (BR5). */
class Recovery implements Hooks {
  readonly #crashes = new CrashLog(BROWSER_CRASHES);
  /**
   * What is to be opened anew: the tabs at the moment Chrome was gone. When that was, unless no server of ours saw it.
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

  /** Saves now what has changed. Never rejects. */
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

  /** Target.targetDestroyed, before its tab is let go. */
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
   * Chrome is gone: every waiting call is answered, everybody told, and nothing that was begun before counts any more
   * (F1).
   */
  lost(said: Message): void {
    const { init, status, runningActions, timeline, registry, services } = this.kernel;
    const { autosave } = this;
    if (status.state !== 'live') return;
    const { tabs, active, leases } = this.#closings.ended(autosave.tabs());
    this.#lost = { tabs: tabs.length > 0 ? tabs : (autosave.kept?.state.tabs ?? []), active, at: services.clock.now() };
    const { text } = status.down(said);
    runningActions.abortAll(new WheelhouseError('BROWSER_DOWN', said));
    this.kernel.onPagesLost.emit(leases);
    void init.ledger.changeSession({ state: 'browser-down' });
    void timeline.tell({ kind: 'browser', said });
    for (const sessionTab of registry.all()) sessionTab.streams.end(text);
    this.kernel.changed();
  }

  /** The server that saw it live is gone, and its Chrome. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void {
    const { status, timeline } = this.kernel;
    const { autosave } = this;
    this.#lost = { tabs: autosave.kept?.state.tabs ?? open };
    status.down({ code: 'chromeReturning' });
    void timeline.tell({ kind: 'browser', said: { code } });
    this.kernel.changed();
  }

  /**
   * Target.targetCrashed: what was under way in the page ends, also what would go on in the one that takes its place
   * (F3).
   */
  pageCrashed(targetId: string): void {
    const { registry, runningActions } = this.kernel;
    const tab = registry.byTarget(targetId)?.tab;
    if (!tab) return;
    for (const { budget } of runningActions.on(tab.id))
      budget.abort(new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' }));
    tab.crashed();
  }

  /** Counts a crash. True: the session is to be brought back without anybody being asked. */
  crashed(): boolean {
    return this.#crashes.crashed(this.kernel.services.clock.now()) && this.kernel.init.policy.restartBrowser !== false;
  }

  /** How often its Chrome crashed lately. */
  get crashes(): number {
    return this.#crashes.count;
  }

  /** Says what is done about the lost Chrome now. */
  tell(said: Message): void {
    const { status, timeline } = this.kernel;
    if (status.state !== 'browser-down') return;
    status.down(said);
    void timeline.tell({ kind: 'browser', said });
    this.kernel.changed();
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

  /** @param same in a new context of the same Chrome */
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

/** Saves a session, and brings it back when its Chrome is lost. */
export const recovery: Feature = {
  name: 'recovery',
  start: (kernel) => {
    const made = new Recovery(kernel, new Autosave(kernel));
    RECOVERY.fill(kernel, made);
    return made;
  },
};
