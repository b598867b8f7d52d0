import type { Lease } from '@/lib/control/lease';
import type { ControlView, SessionView, TabView, TimelineEvent } from '@/lib/protocol/views';
import type { Principal } from '@/server/access/principal';
import { maskAddresses } from '@/lib/text/mask';
import type { Hooks } from './feature';
import type { ContextRef } from './context-ref';
import type { SessionKernel } from './kernel';
import type { SessionTab } from './session-tab';
import type { PageAddress, Visibility } from './visibility';

/** The parts of a session that its view shows. */
interface Session extends SessionKernel {
  control(tab: string): ControlView;
}

/** The lease shown for a tab that has none. */
export const UNHELD: Lease = { state: 'free', epoch: 0, since: 0, reason: '' };

function contextView({ shown, isolation, egress }: ContextRef): Pick<SessionView, 'browser' | 'isolation' | 'egress'> {
  return { browser: shown, isolation, ...(egress && { egress }) };
}

/** Who may enter it, unless that is everybody in the workspace. */
function accessView({ id, services }: SessionKernel): Pick<SessionView, 'access'> {
  const { open = 'workspace', watchOnly = false } = services.rights.access(id) ?? {};
  return open === 'workspace' && !watchOnly ? {} : { access: { open, watchOnly } };
}

/**
 * @param viewer tabs that another participant holds privately appear without title and address, and without their last
 * event (CO8)
 */
export function sessionView(session: Session, features: readonly Hooks[], viewer: Principal | undefined): SessionView {
  const by = viewer?.id;
  const { id, init, active, registry, participants, leases, visibility, timeline } = session;
  const tabs = registry.all().map((sessionTab) => {
    const place = visibility.placeFor(sessionTab.tab.id, by);
    const view = tabView(sessionTab, session.control(sessionTab.tab.id), sessionTab.tab.id === active.id, place, by);
    return place ? view : features.reduce((so, one) => one.tabView?.(so, sessionTab) ?? so, view);
  });
  const view: SessionView = {
    id,
    name: session.name,
    viewport: session.viewport,
    version: session.version,
    ...session.status.view(),
    createdAt: init.createdAt,
    ...contextView(init.contextRef),
    ...accessView(session),
    activeTab: active.id ?? null,
    tabs,
    participants: participants.views(leases.bound()),
    lastEvent: lastFor(timeline.last, visibility, by),
  };
  const shared = features.reduce((so, one) => one.view?.(so) ?? so, view);
  return session.secrets.shown({ ...shared, ...ownParts(features, viewer) });
}

/** What features show this viewer alone. */
export function ownParts(features: readonly Hooks[], viewer: Principal | undefined): Partial<SessionView> {
  return features.reduce((so: Partial<SessionView>, one) => ({ ...so, ...(viewer && one.ownView?.(viewer)) }), {});
}

function lastFor(
  last: TimelineEvent | undefined,
  visibility: Visibility,
  by: string | undefined,
): TimelineEvent | null {
  const hidden = last?.tab !== undefined && last.kind !== 'control' && visibility.placeFor(last.tab, by) !== undefined;
  return hidden ? null : (last ?? null);
}

/**
 * The view of one tab.
 *
 * @param place replaces address and title for a participant who may not see the tab, and hides its dialogs and choosers
 * (CO8)
 */
function tabView(
  sessionTab: SessionTab,
  control: ControlView,
  active: boolean,
  place: PageAddress | undefined,
  by: string | undefined,
): TabView {
  const { tab } = sessionTab;
  // The holder needs the full address to return to it; others see it with its secrets masked (SN6).
  const { url, title } =
    place ??
    (by !== undefined && control.holder?.id === by
      ? tab
      : { url: maskAddresses(tab.url), title: maskAddresses(tab.title) });
  const dialog = place ? undefined : tab.dialogs.current;
  const chooser = place ? undefined : tab.tools.chooser.open;
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
    ...(dialog ? { dialog } : {}),
    ...(chooser ? { chooser: chooser.view } : {}),
  };
}
