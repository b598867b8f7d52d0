import type { Actor, TimelineEvent } from '@/lib/protocol/views';
import { fits, type TimelineFilter } from '@/lib/timeline/search';

/** One row of the timeline: an action with its outcome, or an event. */
export interface TimelineRow {
  /** Unique and stable key for lists. */
  readonly key: string;
  readonly seq: number;
  /** The event, or the intent merged with its outcome. */
  readonly event: TimelineEvent;
  readonly state: 'running' | 'ok' | 'failed' | 'unknown' | 'event';
}

/**
 * Merges each outcome with its intent by id (TL1); oldest first. An outcome whose intent is unknown is a row of its
 * own.
 */
export function toRows(events: readonly TimelineEvent[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  const intents = new Map<string, number>();
  for (const event of events) {
    const at = event.phase === 'outcome' ? intents.get(event.id) : undefined;
    const intent = at === undefined ? undefined : rows[at];
    if (at !== undefined && intent) rows[at] = { ...intent, event: merged(intent.event, event), state: stateOf(event) };
    else {
      if (event.phase === 'intent' || event.kind === 'input') intents.set(event.id, rows.length);
      rows.push({ key: `${event.seq}`, seq: event.seq, event, state: stateOf(event) });
    }
  }
  return rows;
}

function stateOf(event: TimelineEvent): TimelineRow['state'] {
  if (event.phase === 'intent') return 'running';
  if (event.phase === 'event' && event.outcome === undefined) return 'event';
  return event.outcome ?? 'ok';
}

/** Keeps time and number of the intent; all else comes from the outcome where it has it. */
function merged(intent: TimelineEvent, outcome: TimelineEvent): TimelineEvent {
  const { element = intent.element, point = intent.point, tab = intent.tab } = outcome;
  return {
    ...intent,
    ...outcome,
    seq: intent.seq,
    at: intent.at,
    ...(element && { element }),
    ...(point && { point }),
    ...(tab !== undefined && { tab }),
  };
}

/** Puts an event into words of the reader's language. */
export type EventLine = (event: TimelineEvent) => string;

export function filterRows(
  rows: readonly TimelineRow[],
  filter: TimelineFilter,
  line: EventLine,
): readonly TimelineRow[] {
  return rows.filter(({ event }) => fits(event, filter, line(event)));
}

export interface RowChoices {
  readonly actors: readonly Actor[];
  readonly kinds: readonly string[];
}

/** Actors and kinds to filter by, in order of first appearance. */
export function choicesOf(rows: readonly TimelineRow[]): RowChoices {
  const actors = new Map(rows.map(({ event }) => [event.actor.id, event.actor]));
  return { actors: [...actors.values()], kinds: [...new Set(rows.map(({ event }) => event.kind))] };
}
