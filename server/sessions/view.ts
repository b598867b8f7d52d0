import type { Lease } from '@/lib/control/lease';
import type { ControlView, SessionView, TabView } from '@/lib/protocol/views';
import type { Home } from './home';
import type { TabSeat } from './tab-seat';

/** Of a tab without a lease. */
export const UNHELD: Lease = { state: 'free', epoch: 0, since: 0, reason: '' };

export function homeView({ browser: { id, product, origin }, isolation }: Home): Pick<SessionView, 'browser' | 'isolation'> {
  return { browser: { id, product, origin }, isolation };
}

/** How one tab is shown to everybody. */
export function tabView(seat: TabSeat, control: ControlView, active: boolean): TabView {
  const { tab } = seat;
  const dialog = tab.dialogs.current;
  const chooser = tab.tools.chooser.open;
  return {
    id: tab.id,
    targetId: tab.targetId,
    url: tab.url,
    title: tab.title,
    active,
    health: tab.health,
    control,
    canGoBack: tab.history.back,
    canGoForward: tab.history.forward,
    ...(tab.label === undefined ? {} : { label: tab.label }),
    ...(tab.opener === undefined ? {} : { opener: tab.opener }),
    ...(seat.stuck ? { stuck: seat.stuck } : {}),
    ...(dialog ? { dialog } : {}),
    ...(chooser ? { chooser: chooser.view } : {}),
  };
}
