import { driven } from '@/lib/control/rules';
import type { Viewport } from '@/lib/geometry/picture';
import type { Said } from '@/lib/said/said';
import { saidOfDialog } from '@/server/browser/dialogs';
import { SessionClipboard } from '@/server/browser/input/clipboard';
import { Neighbours } from '@/server/browser/neighbours';
import { SharedEmulation } from '@/server/browser/state/emulator';
import { Tab } from '@/server/browser/tab';
import type { TabInit } from '@/server/browser/tab-init';
import type { Ending } from '@/server/access/egress/egress';
import type { Protocol } from '@/server/cdp/protocol';
import type { Metrics } from '@/server/telemetry/metrics';
import type { Credential } from '@/server/access/principal';
import { BlockedRequests } from './blocked-requests';
import type { ControlDesk } from './control-desk';
import { CrashReload } from './crash-reload';
import { DialogPolicy } from './dialog-policy';
import { FloodWatch } from './flood-watch';
import { LeftBehind } from './left-behind';
import { RefCeiling } from './ref-ceiling';
import { seatStreams } from './seat-streams';
import type { Privacy } from './privacy';
import type { SessionInit, SessionServices } from './session-parts';
import type { KnownTab } from './tab-book';
import { TabSeat } from './tab-seat';
import type { Timeline } from './timeline';

export interface SeatingDeps {
  readonly init: SessionInit;
  readonly services: SessionServices;
  readonly desk: ControlDesk;
  readonly timeline: Timeline;
  readonly viewport: () => Viewport;
  readonly privacy: Pick<Privacy, 'hides' | 'sightNow' | 'covers' | 'seated' | 'moved' | 'any'>;
  readonly changed: () => void;
}

/** Makes the seat of a tab and connects what the tab tells with timeline, store and viewers. */
export class Seating {
  /** One for the session: Chrome's own is shared by all its contexts (SE6). */
  readonly #clipboard = new SessionClipboard();
  /** What all its tabs are made to believe (PS4). */
  readonly #emulation = new SharedEmulation();
  /** Those of its tabs that share a renderer hang together (AC6). */
  readonly #neighbours: Neighbours;
  /** What no page of its tabs was let reach (GU1). */
  readonly blocked: BlockedRequests;
  readonly #seats = new Set<TabSeat>();
  readonly #left: LeftBehind;
  readonly #floods: FloodWatch;
  /** Tabs that the timeline and the store know. */
  readonly #told: Set<string>;

  constructor(private readonly deps: SeatingDeps) {
    const { init, services, timeline, privacy, changed } = deps;
    this.#neighbours = new Neighbours(services.clock);
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
      home: init.home,
      timeline,
      personHolds: (tab) => this.#personHolds(tab),
      changed,
    });
  }

  /**
   * Attaches to the target. Its page is prepared afterwards: nobody waits here for one that hangs (BR4); who acts waits
   * for `ready`.
   */
  async make(info: Protocol.Target.TargetInfo, known: KnownTab, opener: TabSeat | undefined): Promise<TabSeat> {
    const { services, desk, init, privacy } = this.deps;
    const tab = await Tab.attach(this.#tabInit(info, known, opener));
    tab.label = known.label;
    tab.input.clipboard = this.#clipboard;
    const streams = seatStreams(tab, services, (viewer) => privacy.hides(tab.id, viewer));
    const seat = new TabSeat(tab, streams, desk, services.clock, services.logger, () => privacy.sightNow(tab.id));
    desk.opened(known.id, opener?.tab.id, init.knownLeases.get(known.id));
    this.#left.made(tab);
    void tab.start();
    return seat;
  }

  dispose(): void {
    this.blocked.dispose();
  }

  /** What was copied while a page was private is nobody else's. */
  clearClipboard(): void {
    this.#clipboard.copy('');
  }

  /** The seat is in the book: from now on what happens in the tab is told. */
  seated(seat: TabSeat): void {
    const { init, timeline, privacy } = this.deps;
    const { tab } = seat;
    this.#seats.add(seat);
    this.#left.seated(tab);
    privacy.seated(seat);
    if (this.#told.has(tab.id)) init.ledger.changeTab(tab.id, { targetId: tab.targetId, closedAt: null });
    else {
      this.#told.add(tab.id);
      init.ledger.addTab({
        id: tab.id,
        targetId: tab.targetId,
        opener: tab.opener,
        url: privacy.covers(tab.id) ? '' : tab.url,
      });
      timeline.tell({ kind: 'tab', said: saidOfNew(tab), tab: tab.id });
    }
    this.#follow(seat);
  }

  /** The tab is gone, its lease with it. */
  left(seat: TabSeat): void {
    seat.tab.closed();
    seat.dispose();
    this.#emulation.forget(seat.tab.id);
    this.#seats.delete(seat);
    this.deps.desk.closed(seat.tab.id);
    this.#arm();
  }

  /** The tab goes on in another page: what belonged to the old one ends, the lease stays. */
  replaced(seat: TabSeat): void {
    this.#seats.delete(seat);
    void this.deps.init.home.browser.dropPage(seat.tab.targetId);
    seat.tab.closed();
    seat.dispose();
  }

  /** A person at the wheel gets pictures as fast as Chrome gives them (FR1). */
  driverChanged(seat: TabSeat): void {
    seat.streams.setDriver(this.#personHolds(seat.tab.id));
    this.#floods.spare(seat);
    this.#left.driverChanged(seat.tab);
    this.#arm();
  }

  /** A key or sign-in ended: what its agents have left in pages ends, too. */
  credentialEnded(credential: Credential): void {
    this.#left.credentialEnded(
      credential,
      [...this.#seats].map(({ tab }) => tab),
    );
  }

  /**
   * Also while any tab changes hands: what the agent left behind is still to be stopped, and may wait for the script of
   * another tab.
   */
  #arm(): void {
    const leases = [...this.deps.desk.leases.values()];
    const passing = leases.some(({ state }) => state === 'draining');
    for (const { tab } of this.#seats) {
      const armed = driven(this.deps.desk.lease(tab.id))?.holder.kind === 'agent';
      if (armed || !passing) tab.heartbeat.arm(armed);
    }
  }

  #follow(seat: TabSeat): void {
    const { init, timeline, services, changed, privacy } = this.deps;
    const { tab } = seat;
    const ceiling = new RefCeiling(tab.refs, (lastRef) => init.ledger.changeTab(tab.id, { lastRef }));
    const policy = new DialogPolicy(tab, services.clock, () => this.#personHolds(tab.id));
    seat.onDispose(() => policy.dispose());
    this.#floods.seated(seat);
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
      timeline.tell({ kind: 'dialog', said: saidOfDialog(dialog), tab: tab.id });
      policy.opened(dialog);
    });
    tab.dialogs.onSilenced.on(
      () => void timeline.tell({ kind: 'dialog', said: { code: 'dialogsSilenced' }, tab: tab.id }),
    );
    tab.page.onDocument.on(({ url }, main) => {
      if (!main) return;
      timeline.tell({ kind: 'navigation', said: { code: 'pageNow', url }, tab: tab.id });
      privacy.moved(seat, 'page');
    });
  }

  #personHolds(tab: string): boolean {
    return driven(this.deps.desk.lease(tab))?.holder.kind === 'human';
  }

  #tabInit(info: Protocol.Target.TargetInfo, known: KnownTab, opener: TabSeat | undefined): TabInit {
    const { init, services, viewport } = this.deps;
    return {
      id: known.id,
      targetId: info.targetId,
      contextId: info.browserContextId,
      opener: opener?.tab.id,
      url: info.url,
      title: info.title,
      lanes: init.home.browser.lanes,
      clock: services.clock,
      viewport: viewport(),
      emulation: this.#emulation,
      neighbours: this.#neighbours,
      scriptToken: (owner) => services.saved.token(`${init.id} ${known.id} ${owner}`),
      secrets: init.ledger.secrets,
      personDrives: () => this.#personHolds(known.id),
      shelf: services.shelf,
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

function errorIn(ending: Ending | undefined): string | undefined {
  return ending && 'error' in ending ? ending.error : undefined;
}

function ruleIn(ending: Ending | undefined): string | undefined {
  return ending && 'rule' in ending ? ending.rule : undefined;
}

function saidOfNew({ opener, url }: Tab): Said {
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
