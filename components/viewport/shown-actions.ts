import type { TimelineEvent } from '@/lib/protocol/views';

/** An agent's action at a point of the page, drawn so that people can follow. */
export interface ShownAction {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly press: boolean;
}

const PRESSES: ReadonlySet<string> = new Set(['click', 'check', 'select']);
const TYPES: ReadonlySet<string> = new Set(['type', 'press']);

/** The newest action of an agent at a point of this tab; undefined when there is none after `seq`. */
export function lastAction(events: readonly TimelineEvent[], tab: string, after: number): ShownAction | undefined {
  const event = events.findLast(
    (one) => one.seq > after && one.tab === tab && one.actor.kind === 'agent' && one.point !== undefined,
  );
  if (!event?.point) return undefined;
  return { id: event.id, name: event.actor.name, x: event.point.x, y: event.point.y, press: PRESSES.has(event.kind) };
}

/** The agent's newest action in this tab, when it types; undefined when it does something else. */
export function typingNow(events: readonly TimelineEvent[], tab: string, after: number): TimelineEvent | undefined {
  const last = events.findLast((one) => one.tab === tab && one.actor.kind === 'agent' && one.phase === 'intent');
  return last && last.seq > after && TYPES.has(last.kind) ? last : undefined;
}
