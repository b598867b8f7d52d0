import type { DoneBrief } from '@/components/messages/event-words';
import type { DoneAction } from '@/lib/actions/done';
import { isActionKind } from '@/lib/actions/kinds';
import { isQuiet } from '@/lib/actions/action-verbs';
import type { SessionView, TimelineEvent } from '@/lib/protocol/views';

/**
 * Since when this person holds a lease of the session, ISO 8601; undefined while they hold none. The earliest counts,
 * because one receipt reports all tabs together.
 */
export function drivingSince({ tabs }: SessionView, you: string | undefined): string | undefined {
  return tabs
    .filter(({ control }) => control.holder?.id === you)
    .map(({ control }) => control.since)
    .sort()
    .at(0);
}

/**
 * Actions that the receipt will report, as far as the timeline has them: actions made from raw input, and actions of
 * the cockpit. Oldest first (CO5).
 */
export function reportedSoFar(
  timeline: readonly TimelineEvent[],
  you: string | undefined,
  since: string,
): readonly DoneBrief[] {
  return timeline
    .filter(({ actor, phase }) => actor.id === you && phase === 'outcome')
    .flatMap((event): readonly TimedAction[] => event.did ?? (isTold(event) ? [{ ...event, code: codeOf(event) }] : []))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at.localeCompare(b.at));
}

type TimedAction = DoneBrief & Pick<DoneAction, 'at'>;

function isTold({ kind, deed }: TimelineEvent): boolean {
  return deed !== undefined && !(isActionKind(kind) && isQuiet(kind, deed.word));
}

function codeOf({ outcome, code }: TimelineEvent): string | undefined {
  return outcome === 'ok' ? undefined : (code ?? outcome);
}
