import type { TimelineEvent } from '@/lib/protocol/views';

/** Filters of a timeline query. */
export interface TimelineFilter {
  /** Participant id. */
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  /** Searches texts, names, addresses and codes, ignoring case. */
  readonly search?: string | undefined;
}

/** @param shown the row as its reader sees it, when that is not its English text */
export function fits(event: TimelineEvent, { actor, kind, search = '' }: TimelineFilter, shown = ''): boolean {
  if (actor !== undefined && event.actor.id !== actor) return false;
  if (kind !== undefined && event.kind !== kind) return false;
  const words = search.trim().toLocaleLowerCase();
  return words === '' || `${shown} ${textOf(event)}`.toLocaleLowerCase().includes(words);
}

function textOf({ text, actor, element, code = '', kind, tab = '', deed, actionId = '' }: TimelineEvent): string {
  return `${text} ${actor.name} ${element?.name ?? ''} ${kind} ${code} ${tab} ${deed?.value ?? ''} ${deed?.url ?? ''} ${deed?.note ?? ''} ${actionId}`;
}
