import { COMMENT_LIMITS, type Comment } from './comment';

type Comments = ReadonlyMap<string, Comment>;

/** How many comments of a session are open for one participant. */
export interface CommentCounts {
  readonly open: number;
  /** Open ones of others that mention the participant or answer them. */
  readonly mine: number;
  /** The newest of these. */
  readonly last?: number | undefined;
}

/** Whether a comment waits for somebody: neither it nor the one that it answers is resolved, and its tab is there. */
export function isOpen({ resolved, reply, tab }: Comment, all: Comments, closed: ReadonlySet<string>): boolean {
  if (resolved || closed.has(tab)) return false;
  return reply === undefined || all.get(reply)?.resolved === undefined;
}

/** All open ones and the latest others, in their order: what a viewer keeps of many. */
export function latestOf<C extends Comment>(comments: readonly C[], isOpen: (comment: C) => boolean): C[] {
  const others = new Set(comments.filter((one) => !isOpen(one)).slice(-COMMENT_LIMITS.latest));
  return comments.filter((one) => isOpen(one) || others.has(one));
}

/** Whether somebody else mentions this participant, or answers them. */
function concerns({ by, mentions, reply }: Comment, participant: string, all: Comments): boolean {
  if (by.id === participant) return false;
  return mentions.includes(participant) || (reply !== undefined && all.get(reply)?.by.id === participant);
}

/** @param open the open ones that the participant may read */
export function countsOf(open: readonly Comment[], participant: string, all: Comments): CommentCounts {
  const mine = open.filter((one) => concerns(one, participant, all));
  const last = Math.max(...mine.map(({ seq }) => seq));
  return { open: open.length, mine: mine.length, ...(mine.length > 0 && { last }) };
}
