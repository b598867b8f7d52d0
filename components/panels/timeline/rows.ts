import type { Actor, TimelineEvent } from '@/lib/protocol/views';
import { fits, type TimelineFilter } from '@/lib/timeline/search';

/** One line of the timeline: an action with what came of it, or something that just happened. */
export interface TimelineRow {
  /** Unique and stable: for lists. */
  readonly key: string;
  readonly seq: number;
  /** The intent, or the event itself; the newest word on text and element. */
  readonly event: TimelineEvent;
  readonly state: 'running' | 'ok' | 'failed' | 'unknown' | 'event';
}

/** Puts each outcome to its intent by id (TL1). Oldest first. An outcome whose intent is not here stands for itself. */
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

/** Says when it began, and for the rest what is known last. */
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

/** An event as it is shown: in the reader's language. */
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

/** What there is to filter by, in order of first appearance. */
export function choicesOf(rows: readonly TimelineRow[]): RowChoices {
  const actors = new Map(rows.map(({ event }) => [event.actor.id, event.actor]));
  return { actors: [...actors.values()], kinds: [...new Set(rows.map(({ event }) => event.kind))] };
}
