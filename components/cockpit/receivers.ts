import type { ParticipantView } from '@/lib/protocol/views';

/**
 * To whom the lease can be handed over (CO4): whoever is here and may drive, people first.
 * @param you whose lease it is
 * @param back who gets it by handing back: no need to be named
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
