import type { ParticipantView } from '@/lib/protocol/views';

/**
 * Participants to whom the lease can be handed over (CO4): connected and allowed to drive, people first.
 * @param you participant id of the holder
 * @param back participant id of who would get the lease by a hand-back; left out
 */
export function receivers(
  participants: readonly ParticipantView[],
  you: string | undefined,
  back: string | undefined,
): ParticipantView[] {
  const may = participants.filter(
    ({ id, online, grants }) => online && grants.includes('drive') && id !== you && id !== back,
  );
  return may.toSorted(
    (one, other) => Number(one.kind === 'agent') - Number(other.kind === 'agent') || one.name.localeCompare(other.name),
  );
}
