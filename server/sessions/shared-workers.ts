import type { LaneTargetInfo } from '@/server/browser/frames/lane-targets';
import type { CdpSession } from '@/server/cdp/session';
import type { Session } from './session';
import type { TabSeat } from './tab-seat';

/**
 * Hears a shared worker (PS1), which for Chrome belongs to a context and to no page: in the tab of its site that most likely began it, and when that is
 * gone in another one. While any page of the session is private nothing of it is kept, for nobody knows what that page told it (CO8).
 */
export function hearSharedWorker(session: Pick<Session, 'book' | 'privacy'>, info: LaneTargetInfo, worker: CdpSession, before?: TabSeat): void {
  const seat = homeOf(session.book.all().filter((one) => one !== before), info.url);
  if (!seat?.tab.frames.branches.admits(info.targetId)) return;
  seat.tab.frames.branches.met(info, worker);
  const heard = worker.screen;
  worker.screen = (method, data) => session.privacy.any || heard?.(method, data) === true;
  seat.onDispose(() => {
    if (!worker.ended) hearSharedWorker(session, info, worker, seat);
  });
}

/** One that shows a document of its origin: rather one that is loading, else the newest. Frames may be heard of later than their workers: then the newest that loads. */
function homeOf(seats: readonly TabSeat[], url: string): TabSeat | undefined {
  const origin = originOf(url);
  const ofSite = seats.filter(({ tab }) => tab.frames.list().some((frame) => originOf(frame.url) === origin));
  const loading = (list: readonly TabSeat[]): TabSeat | undefined => list.findLast(({ tab }) => tab.page.loading);
  return loading(ofSite) ?? ofSite.at(-1) ?? loading(seats) ?? seats.at(-1);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
