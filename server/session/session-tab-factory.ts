import { driven } from '@/lib/control/rules';
import type { Viewport } from '@/lib/geometry/picture';
import type { Message } from '@/lib/messages/message';
import { dialogMessage } from '@/server/browser/dialogs';
import { SessionClipboard } from '@/server/browser/input/clipboard';
import { RendererGroup } from '@/server/browser/renderer-group';
import { SharedEmulation } from '@/server/browser/state/emulator';
import { Tab } from '@/server/browser/tab';
import type { TabInit } from '@/server/browser/tab-init';
import type { RequestFailure } from '@/server/access/egress/egress';
import type { Protocol } from '@/server/cdp/protocol';
import type { Metrics } from '@/server/telemetry/metrics';
import type { Credential } from '@/server/access/principal';
import { BlockedRequests } from './blocked-requests';
import type { Leases } from './leases';
import { CrashReload } from './crash-reload';
import { DialogPolicy } from './dialog-policy';
import { FloodWatch } from './flood-watch';
import { LeftBehind } from './left-behind';
import { RefCeiling } from './ref-ceiling';
import { tabStreams } from './tab-streams';
import type { Privacy } from './privacy';
import type { SessionInit, SessionServices } from './session-parts';
import type { StoredTab } from './tab-registry';
import { SessionTab } from './session-tab';
import type { Timeline } from './timeline';

export interface SessionTabFactoryDeps {
  readonly init: SessionInit;
  readonly services: SessionServices;
  readonly leases: Leases;
  readonly timeline: Timeline;
  readonly viewport: () => Viewport;
  readonly privacy: Pick<Privacy, 'hides' | 'visibilityEpoch' | 'isHeldPrivately' | 'seated' | 'moved' | 'any'>;
  readonly changed: () => void;
}

/** Makes the seat of a tab and connects what the tab tells with timeline, store and viewers. */
export class SessionTabFactory {
  /** One for the session: Chrome's own is shared by all its contexts (SE6). */
  readonly #clipboard = new SessionClipboard();
  /** What all its tabs are made to believe (PS4). */
  readonly #emulation = new SharedEmulation();
  /** Those of its tabs that share a renderer hang together (AC6). */
  readonly #rendererGroup: RendererGroup;
  /** What no page of its tabs was let reach (GU1). */
  readonly blocked: BlockedRequests;
  readonly #sessionTabs = new Set<SessionTab>();
  readonly #left: LeftBehind;
  readonly #floods: FloodWatch;
  /** Tabs that the timeline and the store know. */
  readonly #told: Set<string>;

  constructor(private readonly deps: SessionTabFactoryDeps) {
    const { init, services, timeline, privacy, changed } = deps;
    this.#rendererGroup = new RendererGroup(services.clock);
    this.blocked = new BlockedRequests({
      session: init.id,
      egress: services.egress,
      clock: services.clock,
      timeline,
      hidden: () => privacy.any,
      changed,
    });
    this.#left = new LeftBehind(deps);
    this.#told = new Set(deps.init.knownTabs.map(({ id }) => id));
    this.#floods = new FloodWatch({
      ...services,
      limits: services.floods,
      on: init.policy.limitFloods !== false,
      contextRef: init.contextRef,
      timeline,
      personHolds: (tab) => this.#personHolds(tab),
      changed,
    });
  }

  /**
   * Attaches to the target. Its page is prepared afterwards: nobody waits here for one that hangs (BR4); who acts waits
   * for `ready`.
   */
  async make(info: Protocol.Target.TargetInfo, known: StoredTab, opener: SessionTab | undefined): Promise<SessionTab> {
    const { services, leases, init, privacy } = this.deps;
    const tab = await Tab.attach(this.#tabInit(info, known, opener));
    tab.label = known.label;
    tab.input.clipboard = this.#clipboard;
    const streams = tabStreams(tab, services, (viewer) => privacy.hides(tab.id, viewer));
    const sessionTab = new SessionTab(tab, streams, leases, services.clock, services.logger, () =>
      privacy.visibilityEpoch(tab.id),
    );
    leases.opened(known.id, opener?.tab.id, init.knownLeases.get(known.id));
    this.#left.made(tab);
    void tab.start();
    return sessionTab;
  }

  dispose(): void {
    this.blocked.dispose();
  }

  /** What was copied while a page was private is nobody else's. */
  clearClipboard(): void {
    this.#clipboard.copy('');
  }

  /** The seat is in the book: from now on what happens in the tab is told. */
  seated(sessionTab: SessionTab): void {
    const { init, timeline, privacy } = this.deps;
    const { tab } = sessionTab;
    this.#sessionTabs.add(sessionTab);
    this.#left.seated(tab);
    privacy.seated(sessionTab);
    if (this.#told.has(tab.id)) init.ledger.changeTab(tab.id, { targetId: tab.targetId, closedAt: null });
    else {
      this.#told.add(tab.id);
      init.ledger.addTab({
        id: tab.id,
        targetId: tab.targetId,
        opener: tab.opener,
        url: privacy.isHeldPrivately(tab.id) ? '' : tab.url,
      });
      timeline.tell({ kind: 'tab', said: saidOfNew(tab), tab: tab.id });
    }
    this.#follow(sessionTab);
  }

  /** The tab is gone, its lease with it. */
  left(sessionTab: SessionTab): void {
    sessionTab.tab.closed();
    sessionTab.dispose();
    this.#emulation.forget(sessionTab.tab.id);
    this.#sessionTabs.delete(sessionTab);
    this.deps.leases.closed(sessionTab.tab.id);
    this.#arm();
  }

  /** The tab goes on in another page: what belonged to the old one ends, the lease stays. */
  replaced(sessionTab: SessionTab): void {
    this.#sessionTabs.delete(sessionTab);
    void this.deps.init.contextRef.browser.dropPage(sessionTab.tab.targetId);
    sessionTab.tab.closed();
    sessionTab.dispose();
  }

  /** A person at the wheel gets pictures as fast as Chrome gives them (FR1). */
  driverChanged(sessionTab: SessionTab): void {
    sessionTab.streams.setDriver(this.#personHolds(sessionTab.tab.id));
    this.#floods.spare(sessionTab);
    this.#left.driverChanged(sessionTab.tab);
    this.#arm();
  }

  /** A key or sign-in ended: what its agents have left in pages ends, too. */
  credentialEnded(credential: Credential): void {
    this.#left.credentialEnded(
      credential,
      [...this.#sessionTabs].map(({ tab }) => tab),
    );
  }

  /**
   * Also while any tab changes hands: what the agent left behind is still to be stopped, and may wait for the script of
   * another tab.
   */
  #arm(): void {
    const leases = [...this.deps.leases.leases.values()];
    const passing = leases.some(({ state }) => state === 'draining');
    for (const { tab } of this.#sessionTabs) {
      const armed = driven(this.deps.leases.lease(tab.id))?.holder.kind === 'agent';
      if (armed || !passing) tab.heartbeat.arm(armed);
    }
  }

  #follow(sessionTab: SessionTab): void {
    const { init, timeline, services, changed, privacy } = this.deps;
    const { tab } = sessionTab;
    const ceiling = new RefCeiling(tab.refs, (lastRef) => init.ledger.changeTab(tab.id, { lastRef }));
    const policy = new DialogPolicy(tab, services.clock, () => this.#personHolds(tab.id));
    sessionTab.onDispose(() => policy.dispose());
    this.#floods.seated(sessionTab);
    new CrashReload(
      tab,
      services.clock,
      init.policy.reloadCrashed !== false,
      (said) => void timeline.tell({ kind: 'tab', said, tab: tab.id }),
    );
    tab.onChange.on(() => {
      ceiling.check();
      changed();
    });
    tab.dialogs.onOpen.on((dialog) => {
      timeline.tell({ kind: 'dialog', said: dialogMessage(dialog), tab: tab.id });
      policy.opened(dialog);
    });
    tab.dialogs.onSilenced.on(
      () => void timeline.tell({ kind: 'dialog', said: { code: 'dialogsSilenced' }, tab: tab.id }),
    );
    tab.page.onDocument.on(({ url }, main) => {
      if (!main) return;
      timeline.tell({ kind: 'navigation', said: { code: 'pageNow', url }, tab: tab.id });
      privacy.moved(sessionTab, 'page');
    });
  }

  #personHolds(tab: string): boolean {
    return driven(this.deps.leases.lease(tab))?.holder.kind === 'human';
  }

  #tabInit(info: Protocol.Target.TargetInfo, known: StoredTab, opener: SessionTab | undefined): TabInit {
    const { init, services, viewport } = this.deps;
    return {
      id: known.id,
      targetId: info.targetId,
      contextId: info.browserContextId,
      opener: opener?.tab.id,
      url: info.url,
      title: info.title,
      lanes: init.contextRef.browser.lanes,
      clock: services.clock,
      viewport: viewport(),
      emulation: this.#emulation,
      rendererGroup: this.#rendererGroup,
      scriptToken: (owner) => services.saved.token(`${init.id} ${known.id} ${owner}`),
      secrets: init.ledger.secrets,
      personDrives: () => this.#personHolds(known.id),
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
