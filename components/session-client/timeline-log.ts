import type { TimelineEvent } from '@/lib/protocol/views';

/** Number of events of one session kept in the page; older ones are fetched again when a person scrolls back. */
const MOST_EVENTS = 5_000;

/** Merges both lists by `seq`, each event once. Keeps the newest `MOST_EVENTS`. */
export function mergeEvents(known: readonly TimelineEvent[], more: readonly TimelineEvent[]): readonly TimelineEvent[] {
  if (more.length === 0) return known;
  if (follows(known, more)) return [...known, ...more].slice(-MOST_EVENTS);
  const bySeq = new Map(known.map((event) => [event.seq, event]));
  for (const event of more) bySeq.set(event.seq, event);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-MOST_EVENTS);
}

function follows(known: readonly TimelineEvent[], more: readonly TimelineEvent[]): boolean {
  let last = known.at(-1)?.seq ?? -1;
  return more.every((event) => {
    const inOrder = event.seq > last;
    last = event.seq;
    return inOrder;
  });
}

/**
 * The `seq` before which events are missing between the known ones and those after a reconnect; undefined when none are
 * missing.
 */
export function gapBefore(known: readonly TimelineEvent[], fresh: readonly TimelineEvent[]): number | undefined {
  const last = known.at(-1);
  const first = fresh[0];
  if (!last || !first || first.seq <= last.seq + 1) return undefined;
  return first.seq;
}
