import { controlView } from '@/lib/control/view';
import type { Lease } from '@/lib/control/lease';
import type { SessionView, TabView } from '@/lib/protocol/views';
import type { Home } from './home';
import type { TabSeat } from './tab-seat';
import { toClock } from './to-clock';

/** Of a tab without a lease. */
export const UNHELD: Lease = { state: 'free', epoch: 0, since: 0, reason: '' };

export function homeView({ browser: { id, product, origin }, isolation }: Home): Pick<SessionView, 'browser' | 'isolation'> {
  return { browser: { id, product, origin }, isolation };
}

/** How one tab is shown to everybody. */
export function tabView(seat: TabSeat, lease: Lease | undefined, active: boolean): TabView {
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
    control: controlView(lease ?? UNHELD, toClock, performance.now()),
    canGoBack: tab.history.back,
    canGoForward: tab.history.forward,
    ...(tab.label === undefined ? {} : { label: tab.label }),
    ...(tab.opener === undefined ? {} : { opener: tab.opener }),
    ...(dialog ? { dialog } : {}),
    ...(chooser ? { chooser: chooser.view } : {}),
  };
}
