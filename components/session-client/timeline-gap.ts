import { withEvents } from './client-state';
import { gapBefore } from './timeline-log';
import type { ServerConnection } from './server-connection';
import type { ClientStore } from './client-store';
import type { TimelineEvent } from '@/lib/protocol/views';

/**
 * How many pages are fetched to close a gap, and events to a page. What is older is asked for when somebody scrolls
 * back.
 */
const MOST_PAGES = 10;
const PAGE = 500;

/** Fetches what happened between what the page had and what a join brought: a lost line loses no event (ui.md). */
export async function closeGap(
  connection: ServerConnection,
  store: ClientStore,
  session: string,
  known: readonly TimelineEvent[],
  fresh: readonly TimelineEvent[],
): Promise<void> {
  let first = fresh;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = gapBefore(known, first);
    if (before === undefined) return;
    const { events } = await connection.request('timeline.list', { session, before, limit: PAGE });
    if (events.length === 0) return;
    store.setState((room) => withEvents(room, session, events));
    first = events;
  }
}
