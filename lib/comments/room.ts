import { WheelhouseError } from '@/lib/errors/error';
import { isGuestId } from '@/lib/links/guest-name';
import { COMMENT_LIMITS, type Comment } from './comment';

/** Whose comments count together: those of one person, of all agents of one key, of all guests. */
export function authorOf(participant: string): string {
  return isGuestId(participant) ? 'guests' : (participant.split('/', 1)[0] ?? participant);
}

/**
 * The comments to remove for a new one: none while there is room, else the oldest thread or answer that is not open, of
 * its author's own when these fill their half. Throws QUOTA, which names the limit of open comments.
 *
 * @param all of the session, oldest first
 * @param next the author of the new comment, and the first comment of its thread
 */
export function roomFor(
  next: { readonly by: string; readonly reply: string | undefined },
  all: readonly Comment[],
  isOpen: (comment: Comment) => boolean,
): readonly Comment[] {
  const author = authorOf(next.by);
  const own = all.filter(({ by }) => authorOf(by.id) === author);
  demandOpen(all.filter(isOpen), COMMENT_LIMITS.open, '');
  demandOpen(own.filter(isOpen), COMMENT_LIMITS.openOfOne, ' of yours');
  const crowd = own.length >= COMMENT_LIMITS.allOfOne ? own : all.length >= COMMENT_LIMITS.all ? all : [];
  const oldest = crowd.find((one) => !isOpen(one) && (one.reply ?? one.id) !== next.reply);
  return oldest ? all.filter(({ id, reply }) => id === oldest.id || reply === oldest.id) : [];
}

function demandOpen({ length }: readonly Comment[], limit: number, whose: string): void {
  if (length < limit) return;
  throw new WheelhouseError('QUOTA', `This session has ${limit} open comments${whose} already.`, {
    hint: 'Resolve some of them first.',
    details: { limit },
  });
}
