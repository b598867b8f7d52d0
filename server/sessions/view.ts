import type { Lease } from '@/lib/control/lease';
import type { ControlView, SessionView, TabView } from '@/lib/protocol/views';
import type { Home } from './home';
import type { Place } from './privacy';
import type { TabSeat } from './tab-seat';

/** Of a tab without a lease. */
export const UNHELD: Lease = { state: 'free', epoch: 0, since: 0, reason: '' };

export function homeView({ browser: { id, product, origin }, isolation }: Home): Pick<SessionView, 'browser' | 'isolation'> {
  return { browser: { id, product, origin }, isolation };
}

/**
 * How one tab is shown.
 * @param place how it is called to who may not look at it; they are not told what it asks either (CO8)
 */
export function tabView(seat: TabSeat, control: ControlView, active: boolean, place?: Place): TabView {
  const { tab } = seat;
  const dialog = place ? undefined : tab.dialogs.current;
  const chooser = place ? undefined : tab.tools.chooser.open;
  const { state, since } = tab.health;
  return {
    id: tab.id,
    targetId: tab.targetId,
    url: place?.url ?? tab.url,
    title: place?.title ?? tab.title,
    active,
    health: place ? { state, since, reason: '' } : tab.health,
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
