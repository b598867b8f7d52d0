import { mayHaveLease, type RosterEntry } from '@/lib/presence/standing';

/**
 * Participants to whom the lease can be handed over (CO4), of those who are here: allowed to drive, those with a raised
 * hand first, then people.
 * @param you participant id of the holder
 * @param back participant id of who would get the lease by a hand-back; left out
 */
export function receivers(
  roster: readonly RosterEntry[],
  you: string | undefined,
  back: string | undefined,
): RosterEntry[] {
  const may = roster.filter(
    ({ participant }) => mayHaveLease(participant) && participant.id !== you && participant.id !== back,
  );
  const rank = ({ participant: { hand, kind } }: RosterEntry) => (hand === undefined ? (kind === 'agent' ? 2 : 1) : 0);
  return may.toSorted(
    (one, other) => rank(one) - rank(other) || one.participant.name.localeCompare(other.participant.name),
  );
}
