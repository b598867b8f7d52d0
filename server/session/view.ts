import type { Lease } from '@/lib/control/lease';
import type { ControlView, SessionView, TabView, TimelineEvent } from '@/lib/protocol/views';
import { maskAddresses } from '@/lib/text/mask';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { Leases } from './leases';
import type { ContextRef } from './context-ref';
import type { Participants } from './participants';
import type { PageAddress, Privacy } from './privacy';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';
import type { Timeline } from './timeline';

/** Of a tab without a lease. */
export const UNHELD: Lease = { state: 'free', epoch: 0, since: 0, reason: '' };

function homeView({ shown, isolation, egress }: ContextRef): Pick<SessionView, 'browser' | 'isolation' | 'egress'> {
  return { browser: shown, isolation, ...(egress && { egress }) };
}

/** What of a session is shown as it is. */
interface ViewedSession {
  readonly id: string;
  readonly init: { readonly contextRef: ContextRef; readonly createdAt: string };
  readonly activeTab: string | undefined;
  readonly registry: TabRegistry;
  readonly participants: Participants;
  readonly leases: Leases;
  readonly privacy: Privacy;
  readonly timeline: Timeline;
  control(tab: string): ControlView;
}

/**
 * @param by participant who looks: what somebody else holds privately is shown without title and address, and what was
 * last told of it is left out (CO8)
 */
export function sessionView(
  session: ViewedSession,
  secrets: KnownSecrets,
  now: Pick<
    SessionView,
    'name' | 'viewport' | 'version' | 'state' | 'stateReason' | 'stateSaid' | 'restored' | 'blocked'
  >,
  by: string | undefined,
): SessionView {
  const { id, init, activeTab, registry, participants, leases, privacy, timeline } = session;
  return secrets.shown({
    id,
    ...now,
    createdAt: init.createdAt,
    ...homeView(init.contextRef),
    activeTab: activeTab ?? null,
    tabs: registry
      .all()
      .map((sessionTab) =>
        tabView(
          sessionTab,
          session.control(sessionTab.tab.id),
          sessionTab.tab.id === activeTab,
          privacy.placeFor(sessionTab.tab.id, by),
          by,
        ),
      ),
    participants: participants.views(leases.bound()),
    lastEvent: lastFor(timeline.last, privacy, by),
  });
}

function lastFor(last: TimelineEvent | undefined, privacy: Privacy, by: string | undefined): TimelineEvent | null {
  const hidden = last?.tab !== undefined && last.kind !== 'control' && privacy.placeFor(last.tab, by) !== undefined;
  return hidden ? null : (last ?? null);
}

/**
 * How one tab is shown.
 * @param place how it is called to who may not look at it; they are not told what it asks either (CO8)
 */
function tabView(
  sessionTab: SessionTab,
  control: ControlView,
  active: boolean,
  place: PageAddress | undefined,
  by: string | undefined,
): TabView {
  const { tab } = sessionTab;
  // Who drives it needs the address as it is, to go there again; its secrets are for nobody else (SN6).
  const { url, title } =
    place ??
    (by !== undefined && control.holder?.id === by
      ? tab
      : { url: maskAddresses(tab.url), title: maskAddresses(tab.title) });
  const dialog = place ? undefined : tab.dialogs.current;
  const chooser = place ? undefined : tab.tools.chooser.open;
  const stuck = place ? undefined : (sessionTab.flood ?? sessionTab.stuck);
  const { state, since } = tab.health;
  return {
    id: tab.id,
    ...(place ? {} : { targetId: tab.targetId }),
    url,
    title,
    active,
    health: place ? { state, since, reason: '' } : tab.health,
    control,
    canGoBack: tab.history.back,
    canGoForward: tab.history.forward,
    ...(tab.label === undefined ? {} : { label: tab.label }),
    ...(tab.opener === undefined ? {} : { opener: tab.opener }),
    ...(tab.tools.block.current && !place ? { blocked: tab.tools.block.current } : {}),
    ...(stuck ? { stuck } : {}),
    ...(dialog ? { dialog } : {}),
    ...(chooser ? { chooser: chooser.view } : {}),
  };
}
