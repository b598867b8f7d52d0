import type { ControlView, ParticipantView } from '@/lib/protocol/views';

/** What a participant is at this moment, the most telling first (AU5). */
export const STANDINGS = ['drives', 'asks', 'hand', 'may-drive', 'watches'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A participant as the roster shows them. */
export interface RosterEntry {
  readonly participant: ParticipantView;
  readonly standing: Standing;
}

type Leases = readonly { readonly control: Pick<ControlView, 'holder' | 'asked'> }[];

/** Whether a participant may hold the wheel. The grants of others are hidden from guests, `mayDrive` is not. */
export function mayHaveLease({ grants, mayDrive }: Pick<ParticipantView, 'grants' | 'mayDrive'>): boolean {
  return mayDrive ?? grants.includes('drive');
}

/** Who drives, who asks, who raised a hand, who could drive, and who only watches. */
function standingOf(participant: ParticipantView, tabs: Leases): Standing {
  const { id, hand } = participant;
  if (tabs.some(({ control }) => control.holder?.id === id)) return 'drives';
  if (tabs.some(({ control }) => control.asked?.by.id === id)) return 'asks';
  if (hand !== undefined) return 'hand';
  return mayHaveLease(participant) ? 'may-drive' : 'watches';
}

/** Those who are here, by standing; who raised a hand first comes first, and equals keep the order of their coming. */
export function rosterOf(participants: readonly ParticipantView[], tabs: Leases): RosterEntry[] {
  const here = participants.filter(({ online }) => online);
  const entries = here.map((participant) => ({ participant, standing: standingOf(participant, tabs) }));
  return entries.toSorted(
    (a, b) =>
      STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
      (a.participant.hand ?? '').localeCompare(b.participant.hand ?? ''),
  );
}

/**
 * The tab to show to who follows this participant: the one that they look at or act on. `left`: they are not here any
 * more, so following ends; undefined: stay where you are.
 */
export function followedTab(
  who: string,
  participants: readonly Pick<ParticipantView, 'id' | 'online' | 'watching'>[],
  tabs: readonly { readonly id: string }[],
): { readonly tab: string } | 'left' | undefined {
  const followed = participants.find(({ id }) => id === who);
  if (!followed?.online) return 'left';
  const { watching } = followed;
  return watching !== undefined && tabs.some(({ id }) => id === watching) ? { tab: watching } : undefined;
}
