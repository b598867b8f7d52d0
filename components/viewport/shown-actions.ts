import type { TimelineEvent } from '@/lib/protocol/views';

/** Something an agent did at a place of the page, shown so that a watcher can follow (ui.md). */
export interface ShownAction {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly press: boolean;
}

const PRESSES: ReadonlySet<string> = new Set(['click', 'check', 'select']);
const TYPES: ReadonlySet<string> = new Set(['type', 'press']);

/** The last thing that an agent did at a point of this tab; undefined when there is none after `seq`. */
export function lastAction(events: readonly TimelineEvent[], tab: string, after: number): ShownAction | undefined {
  const event = events.findLast(
    (one) => one.seq > after && one.tab === tab && one.actor.kind === 'agent' && one.point !== undefined,
  );
  if (!event?.point) return undefined;
  return { id: event.id, name: event.actor.name, x: event.point.x, y: event.point.y, press: PRESSES.has(event.kind) };
}

/** What an agent types into this tab, until it is done; undefined when the last thing it began was something else. */
export function typingNow(events: readonly TimelineEvent[], tab: string, after: number): TimelineEvent | undefined {
  const last = events.findLast((one) => one.tab === tab && one.actor.kind === 'agent' && one.phase === 'intent');
  return last && last.seq > after && TYPES.has(last.kind) ? last : undefined;
}
