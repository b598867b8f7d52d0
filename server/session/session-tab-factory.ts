import type { Message } from '@/lib/messages/message';
import { SessionClipboard } from '@/server/browser/input/clipboard';
import { RendererGroups } from '@/server/browser/renderer-group';
import { Emitter } from '@/server/browser/emitter';
import { SharedEmulation } from '@/server/browser/state/emulator';
import { Tab } from '@/server/browser/tab';
import type { TabInit } from '@/server/browser/tab-init';
import type { RequestFailure } from '@/server/access/egress/egress';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import type { Metrics } from '@/server/telemetry/metrics';
import type { SessionCore } from './core';
import { inTime } from '@/server/store/in-time';
import { RefCeiling } from './ref-ceiling';
import type { StoredTab } from './tab-registry';
import { SessionTab } from './session-tab';

/** Makes session tabs and connects their events to timeline and store. */
export class SessionTabFactory {
  /** The session's clipboard: all contexts of a Chrome share Chrome's own (SE6). */
  readonly #clipboard = new SessionClipboard();
  /** Clipboards of privately held tabs: nobody else may paste what is copied there (CO8). */
  readonly #privateClipboards = new Map<string, SessionClipboard>();
  /** Emulation settings of all tabs of the session (PS4). */
  readonly #emulation = new SharedEmulation();
  /** Tabs that share a renderer process, and so hang together (AC6). */
  readonly #renderers: RendererGroups;
  /** A tab is attached; its page is not prepared yet. */
  readonly onMade: Emitter<[SessionTab]>;
  /** Ids of tabs already written to timeline and store. */
  readonly #announced: Set<string>;

  constructor(private readonly core: SessionCore) {
    this.onMade = new Emitter(core.fault);
    this.#renderers = new RendererGroups(core.services.clock, core.services.timings.hang);
    this.#announced = new Set(core.init.knownTabs.map(({ id }) => id));
  }

  /**
   * Attaches to the target. Prepares its page without waiting, since the page may hang (BR4); actions wait for `ready`.
   * The tab is seen once its lease is stored. A new popup waits for that at most `STORE_MS`, because until then it runs
   * and nobody sees it; other tabs wait as long as the store needs. Throws STORE_BUSY for such a popup.
   */
  async make(info: TargetInfo, known: StoredTab, opener: SessionTab | undefined): Promise<SessionTab> {
    const { leases, init } = this.core;
    const tab = await Tab.attach(this.#tabInit(info, known, opener));
    tab.label = known.label;
    tab.input.clipboard = {
      copy: (text) => this.#clipboardOf(tab.id).copy(text),
      paste: () => this.#clipboardOf(tab.id).paste(),
    };
    const sessionTab = new SessionTab(tab, leases);
    const leased = leases.opened(known.id, opener?.tab.id, init.knownLeases.get(known.id));
    const isNewPopup = info.openerId !== undefined && !this.#announced.has(known.id);
    try {
      await (isNewPopup ? inTime(this.core.services.clock, leased) : leased);
    } catch (error) {
      this.left(sessionTab);
      throw error;
    }
    this.onMade.emit(sessionTab);
    void tab.start();
    return sessionTab;
  }

  /** Discards the private clipboard when the tab is shown again. */
  forgetPrivateClipboard(tab: string): void {
    this.#privateClipboards.delete(tab);
  }

  /** Returns the session's clipboard; for a privately held tab a separate one that starts as a copy of it. */
  #clipboardOf(tab: string): SessionClipboard {
    if (this.core.visibility.visibilityEpoch(tab) !== undefined) return this.#clipboard;
    const known = this.#privateClipboards.get(tab);
    if (known) return known;
    const apart = new SessionClipboard();
    apart.copy(this.#clipboard.paste());
    this.#privateClipboards.set(tab, apart);
    return apart;
  }

  /** The tab is in the registry: writes it to timeline and store, and follows its changes. */
  added(sessionTab: SessionTab): void {
    const { init, timeline, visibility } = this.core;
    const { tab } = sessionTab;
    if (this.#announced.has(tab.id)) void init.ledger.changeTab(tab.id, { targetId: tab.targetId, closedAt: null });
    else {
      this.#announced.add(tab.id);
      void init.ledger.addTab({
        id: tab.id,
        targetId: tab.targetId,
        opener: tab.opener,
        url: visibility.isHeldPrivately(tab.id) ? '' : tab.url,
      });
      void timeline.tell({ kind: 'tab', said: saidOfNew(tab), tab: tab.id });
    }
    this.#follow(tab);
  }

  /** Releases a closed tab, with what features keep of it, its clipboard and its lease. */
  left(sessionTab: SessionTab): void {
    sessionTab.tab.closed();
    sessionTab.dispose();
    this.#emulation.forget(sessionTab.tab.id);
    this.#privateClipboards.delete(sessionTab.tab.id);
    // Fails only when the session is over, and its leases with it.
    this.core.leases.closed(sessionTab.tab.id).catch(() => undefined);
  }

  /** The tab continues in another page: closes the old page and ends its parts; the lease stays. */
  replaced(sessionTab: SessionTab): void {
    void this.core.init.contextRef.browser.dropPage(sessionTab.tab.targetId);
    sessionTab.tab.closed();
    sessionTab.dispose();
  }

  #follow(tab: Tab): void {
    const { init } = this.core;
    const ceiling = new RefCeiling(tab.refs, (lastRef) => void init.ledger.changeTab(tab.id, { lastRef }));
    tab.onChange.on(() => {
      ceiling.check();
      this.core.changed();
    });
  }

  #tabInit(info: TargetInfo, known: StoredTab, opener: SessionTab | undefined): TabInit {
    const { init, services, viewport } = this.core;
    return {
      id: known.id,
      targetId: info.targetId,
      contextId: info.browserContextId,
      opener: opener?.tab.id,
      url: info.url,
      title: info.title,
      lanes: init.contextRef.browser.lanes,
      mac: init.contextRef.browser.mac,
      clock: services.clock,
      viewport,
      emulation: this.#emulation,
      renderers: this.#renderers,
      scriptToken: (owner) => services.saved.token(`${init.id} ${known.id} ${owner}`),
      secrets: init.ledger.secrets,
      personDrives: () => this.core.personHolds(known.id),
      snapshotCache: services.snapshotCache,
      ruleOf: (url) => ruleIn(services.egress.ending(init.id, url)),
      netErrorOf: (url) => errorIn(services.egress.ending(init.id, url)),
      lastRefNumber: known.lastRef,
      masks: known.masks,
      masked: (masks) => init.ledger.saveMasks(known.id, masks),
      count: (event) => countTermination(services.metrics, event),
      ended: (end, ms) => services.metrics.evaluate({ engine: 'cdp', end }, ms),
    };
  }
}

function errorIn(ending: RequestFailure | undefined): string | undefined {
  return ending && 'error' in ending ? ending.error : undefined;
}

function ruleIn(ending: RequestFailure | undefined): string | undefined {
  return ending && 'rule' in ending ? ending.rule : undefined;
}

function saidOfNew({ opener, url }: Tab): Message {
  if (url === '') return { code: opener === undefined ? 'tabOpened' : 'popupOpened' };
  return { code: opener === undefined ? 'tabOpenedAt' : 'popupOpenedAt', url };
}

/** Counts terminations for `/metrics` (EV8). An abandoned promise is a timeout without a termination. */
function countTermination(metrics: Metrics, event: Parameters<TabInit['count']>[0]): void {
  if (event.startsWith('fallback:')) metrics.evaluateFallback(event.slice('fallback:'.length));
  if (event === 'abandoned') metrics.abandoned();
  if (event === 'terminate-sent') metrics.termination('sent');
  if (event === 'terminate-acknowledged') metrics.termination('acknowledged');
}
