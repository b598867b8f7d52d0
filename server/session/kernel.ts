import type { DoneAction } from '@/lib/actions/done';
import type { Point } from '@/lib/actions/shared';
import { within } from '@/lib/async/within';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Lease } from '@/lib/control/lease';
import type { Viewport } from '@/lib/geometry/picture';
import type { InputEvent } from '@/lib/protocol/input';
import { Emitter } from '@/server/browser/emitter';
import { ActiveTab } from './active-tab';
import type { Caller } from './caller';
import { SessionCore } from './core';
import { Popups } from './popups';
import type { Quotas } from './quotas';
import { SessionTabFactory } from './session-tab-factory';
import type { SessionInit, SessionServices } from './session-parts';
import { SessionTabs } from './session-tabs';
import { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

/**
 * A Chrome that ends in an orderly way closes its pages first, and is gone within this time even on a busy machine.
 * Milliseconds.
 */
export const CHROME_ENDS_MS = 5_000;

/** The base that features build on: a session with its tabs, independent of any feature. */
export class SessionKernel extends SessionCore {
  readonly tabFactory: SessionTabFactory;
  readonly registry: TabRegistry;
  readonly active: ActiveTab;
  readonly tabs: SessionTabs;
  readonly popups: Popups;
  /** A tab is about to close; its state is still complete. */
  readonly onTabCloses = new Emitter<[SessionTab]>(this.fault);
  /** A tab has closed, and its lease is removed. */
  readonly onTabClosed = new Emitter<[SessionTab]>(this.fault);
  /** The holder's pointer is there, by their raw input. CSS pixels of the viewport. */
  readonly onPointer = new Emitter<[participant: string, SessionTab, Point]>(this.fault);
  /** Raw input of the holder reached the tab; not emitted for moves and wheel turns. */
  readonly onInput = new Emitter<[SessionTab, InputEvent]>(this.fault);
  /** The tab was hidden from everybody but its holder, or is shown again (CO8). */
  readonly onVisibility = new Emitter<[SessionTab, visible: boolean]>(this.fault);
  /** A person did this by raw input; undefined when it could not be identified. */
  readonly onPersonDid = new Emitter<[participant: string, done: DoneAction | undefined]>(this.fault);
  /**
   * All pages were replaced: results of earlier work are invalid. `closed`: leases of tabs that Chrome closed while it
   * ended.
   */
  readonly onPagesLost = new Emitter<[closed: ReadonlyMap<string, Lease>]>(this.fault);
  /** The server restarted and has reattached the session's remaining tabs. */
  readonly onRestored = new Emitter<[]>(this.fault);
  /** A participant acts, or drives by raw input. */
  readonly onUse = new Emitter<[Caller]>(this.fault);

  /** The session is to end by itself, for this reason. */
  readonly onExpired = new Emitter<[Message]>(this.fault);

  constructor(init: SessionInit, services: SessionServices & { readonly quotas: Quotas }) {
    super(init, services);
    this.tabFactory = new SessionTabFactory(this);
    this.registry = new TabRegistry(
      (info, known, opener) => this.tabFactory.make(info, known, opener),
      init.knownTabs,
      this.fault,
    );
    this.active = new ActiveTab(this, this.registry);
    this.tabs = new SessionTabs(this, this.registry, this.active);
    this.popups = new Popups(this, this.registry);
    this.registry.onAdded.on((sessionTab) => {
      this.tabFactory.added(sessionTab);
      this.active.added(sessionTab);
      this.changed();
    });
    this.registry.onReplaced.on((sessionTab) => this.tabFactory.replaced(sessionTab));
    this.registry.onLost.on((sessionTab) => this.tabFactory.left(sessionTab));
  }

  async resize(viewport: Viewport): Promise<void> {
    this.viewport = viewport;
    await Promise.all(this.registry.all().map(({ tab }) => tab.resize(viewport)));
  }

  /** Handles Target.targetDestroyed: removes the tab, or gives the last one an empty page. */
  targetGone(targetId: string): void {
    if (this.init.contextRef.browser.gone) return;
    const going = this.registry.byTarget(targetId);
    if (going) this.onTabCloses.emit(going);
    if (going && this.status.state === 'live' && this.tabs.isLast(going)) return void this.#emptyLast(going);
    const sessionTab = this.registry.remove(targetId);
    if (!sessionTab) return;
    this.#tellClosed(sessionTab);
    this.#left(sessionTab);
  }

  /** Keeps one tab in the session: an empty page replaces the last one (SE2). */
  async #emptyLast(sessionTab: SessionTab): Promise<void> {
    const { targetId, id } = sessionTab.tab;
    const { browser } = this.init.contextRef;
    const gone = browser.onGone.next(() => true);
    this.#tellClosed(sessionTab);
    const emptied = this.tabs.emptyLast(sessionTab);
    sessionTab.tab.closed();
    this.changed();
    try {
      if (await emptied) return void this.timeline.tell({ kind: 'tab', said: { code: 'tabOpened' }, tab: id });
      // A Chrome that ends closes its pages and refuses new ones a moment before it is gone: the tab stays, so that it
      // comes back in the next Chrome with its lease and help requests.
      if (!browser.gone) await within(this.services.clock, CHROME_ENDS_MS, gone.promise);
    } finally {
      gone.stop();
    }
    if (this.status.state !== 'live' || browser.gone) return;
    if (this.registry.remove(targetId)) this.#left(sessionTab);
  }

  #tellClosed({ tab }: SessionTab): void {
    const { title, url } = this.visibility.placeFor(tab.id, undefined) ?? tab;
    void this.timeline.tell({
      kind: 'tab',
      said: { code: 'tabClosedNamed', title: title || url || tab.id },
      tab: tab.id,
    });
  }

  #left(sessionTab: SessionTab): void {
    const { id } = sessionTab.tab;
    this.tabFactory.left(sessionTab);
    this.onTabClosed.emit(sessionTab);
    void this.init.ledger.changeTab(id, { closedAt: new Date().toISOString() });
    this.active.gone(id);
    this.changed();
  }

  /** @param why what callers get who wait for a lease or for the store */
  dispose(
    why = new WheelhouseError('ABORTED', 'The server stopped; the wheel stays with who has it.', {
      hint: 'Wait again when the server is back.',
    }),
  ): void {
    this.active.dispose();
    this.leases.dispose(why);
    this.queue.dispose(why);
    for (const sessionTab of this.registry.all()) sessionTab.dispose();
    this.onChange.clear();
  }
}
