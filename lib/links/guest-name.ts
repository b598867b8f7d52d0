import type { z } from 'zod';
import { unreservedName } from '@/lib/text/reserved-name';

/** Most characters of the name that a guest picks. */
const MOST_GUEST_NAME = 40;
const BEFORE = 'Guest: ';

/** The name that a guest picks; refuses those of Wheelhouse and its owner (AU4). */
export const guestNameSchema: z.ZodType<string, string> = unreservedName(MOST_GUEST_NAME);

/** How others read a guest, whatever name they pick: no member's and no agent's name begins so. */
export function guestName(picked: string): string {
  return `${BEFORE}${picked}`;
}

/** The name that a guest picked, out of the one that others read. */
export function pickedName(name: string): string {
  return name.startsWith(BEFORE) ? name.slice(BEFORE.length) : name;
}

/** Whether a participant is a guest: no id of a person or of a key begins so. */
export function isGuestId(participant: string): boolean {
  return participant.startsWith('g_');
}
