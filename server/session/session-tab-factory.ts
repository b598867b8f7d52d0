import { messageOf } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { SessionClipboard } from '@/server/browser/input/clipboard';
import { RendererGroups } from '@/server/browser/renderer-group';
import { Emitter } from '@/server/browser/emitter';
import { SharedEmulation } from '@/server/browser/state/emulator';
import { Tab } from '@/server/browser/tab';
import type { TabInit } from '@/server/browser/tab-init';
import type { RequestFailure } from '@/server/access/egress/egress';
import type { Protocol } from '@/server/cdp/protocol';
import type { Metrics } from '@/server/telemetry/metrics';
import type { SessionCore } from './core';
import { RefCeiling } from './ref-ceiling';
import { tabStreams } from './tab-streams';
import type { StoredTab } from './tab-registry';
import { SessionTab } from './session-tab';

/** Makes the seat of a tab and connects what the tab tells with timeline, store and viewers. */
export class SessionTabFactory {
  /** One for the session: Chrome's own is shared by all its contexts (SE6). */
  readonly #clipboard = new SessionClipboard();
  /** Those of tabs that are held privately: what is copied there is nobody else's (CO8). */
  readonly #privateClipboards = new Map<string, SessionClipboard>();
  /** What all its tabs are made to believe (PS4). */
  readonly #emulation = new SharedEmulation();
  /** Those of its tabs that share a renderer hang together (AC6). */
  readonly #renderers: RendererGroups;
  /** A tab is attached, and its page not prepared yet. */
  readonly onMade = new Emitter<[SessionTab]>();
  readonly #sessionTabs = new Set<SessionTab>();
  /** Tabs that the timeline and the store know. */
  readonly #told: Set<string>;

  constructor(private readonly core: SessionCore) {
    this.#renderers = new RendererGroups(core.services.clock);
    this.#told = new Set(core.init.knownTabs.map(({ id }) => id));
    core.leases.onEffect.on(({ type }) => {
      if (type === 'changed') this.#driversChanged();
    });
  }

  /**
   * Attaches to the target. Its page is prepared afterwards: nobody waits here for one that hangs (BR4); who acts waits
   * for `ready`.
   */
  async make(info: Protocol.Target.TargetInfo, known: StoredTab, opener: SessionTab | undefined): Promise<SessionTab> {
    const { services, leases, init, visibility } = this.core;
    const tab = await Tab.attach(this.#tabInit(info, known, opener));
    tab.label = known.label;
    tab.input.clipboard = {
      copy: (text) => this.#clipboardOf(tab.id).copy(text),
      paste: () => this.#clipboardOf(tab.id).paste(),
    };
    const streams = tabStreams(tab, services, (viewer) => visibility.hides(tab.id, viewer));
    const sessionTab = new SessionTab(tab, streams, leases, services.clock, services.logger, () =>
      visibility.visibilityEpoch(tab.id),
    );
    await leases.opened(known.id, opener?.tab.id, init.knownLeases.get(known.id));
    this.onMade.emit(sessionTab);
    void tab.start();
    return sessionTab;
  }

  /** The tab is shown again: what was copied there while it was private is gone. */
  forgetPrivateClipboard(tab: string): void {
    this.#privateClipboards.delete(tab);
  }

  /** A tab that is held privately has one apart, which begins with what the session's holds then. */
  #clipboardOf(tab: string): SessionClipboard {
    if (this.core.visibility.visibilityEpoch(tab) !== undefined) return this.#clipboard;
    const known = this.#privateClipboards.get(tab);
    if (known) return known;
    const apart = new SessionClipboard();
    apart.copy(this.#clipboard.paste());
    this.#privateClipboards.set(tab, apart);
    return apart;
  }

  /** The seat is in the book: from now on what happens in the tab is told. */
  seated(sessionTab: SessionTab): void {
    const { init, timeline, visibility } = this.core;
    const { tab } = sessionTab;
    this.#sessionTabs.add(sessionTab);
    if (this.#told.has(tab.id)) void init.ledger.changeTab(tab.id, { targetId: tab.targetId, closedAt: null });
    else {
      this.#told.add(tab.id);
      void init.ledger.addTab({
        id: tab.id,
        targetId: tab.targetId,
        opener: tab.opener,
        url: visibility.isHeldPrivately(tab.id) ? '' : tab.url,
      });
      void timeline.tell({ kind: 'tab', said: saidOfNew(tab), tab: tab.id });
    }
    this.#follow(tab);
    this.#driversChanged();
  }

  /** The tab is gone, its lease with it. */
  left(sessionTab: SessionTab): void {
    sessionTab.tab.closed();
    sessionTab.dispose();
    this.#emulation.forget(sessionTab.tab.id);
    this.#privateClipboards.delete(sessionTab.tab.id);
    this.#sessionTabs.delete(sessionTab);
    this.core.leases
      .closed(sessionTab.tab.id)
      .catch((error: unknown) =>
        this.core.services.logger.error({ error: messageOf(error) }, 'the lease of a closed tab is still there'),
      );
  }

  /** The tab goes on in another page: what belonged to the old one ends, the lease stays. */
  replaced(sessionTab: SessionTab): void {
    this.#sessionTabs.delete(sessionTab);
    void this.core.init.contextRef.browser.dropPage(sessionTab.tab.targetId);
    sessionTab.tab.closed();
    sessionTab.dispose();
  }

  /** A person at the wheel gets pictures as fast as Chrome gives them (FR1). */
  #driversChanged(): void {
    for (const { tab, streams } of this.#sessionTabs) streams.setDriver(this.core.personHolds(tab.id));
  }

  #follow(tab: Tab): void {
    const { init } = this.core;
    const ceiling = new RefCeiling(tab.refs, (lastRef) => void init.ledger.changeTab(tab.id, { lastRef }));
    tab.onChange.on(() => {
      ceiling.check();
      this.core.changed();
    });
  }

  #tabInit(info: Protocol.Target.TargetInfo, known: StoredTab, opener: SessionTab | undefined): TabInit {
    const { init, services, viewport } = this.core;
    return {
      id: known.id,
      targetId: info.targetId,
      contextId: info.browserContextId,
      opener: opener?.tab.id,
      url: info.url,
      title: info.title,
      lanes: init.contextRef.browser.lanes,
      clock: services.clock,
      hangTiming: services.hangTiming,
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

/** Terminations, for `/metrics` (EV8); an abandoned promise is a timeout that needed none. */
function countTermination(metrics: Metrics, event: Parameters<TabInit['count']>[0]): void {
  if (event.startsWith('fallback:')) metrics.evaluateFallback(event.slice('fallback:'.length));
  if (event === 'abandoned') metrics.abandoned();
  if (event === 'terminate-sent') metrics.termination('sent');
  if (event === 'terminate-acknowledged') metrics.termination('acknowledged');
}
