import { refOf, type PresentPage } from './anchor';
import { COMMENT_LIMITS, type Comment } from './comment';
import type { CommentNews } from './news';

export interface Undelivered {
  /** Oldest first. */
  readonly comments: readonly Comment[];
  /** How many wait for a later reply. */
  readonly more: number;
}

/**
 * The comments for the next reply of an agent (TL3): open ones by people with the right to drive, or passed on by
 * somebody who has it, that this agent has not been given.
 *
 * @param open the open ones that the agent may read
 * @param agent participant id
 * @param got ids of the comments that the agent was given
 */
export function undelivered(open: readonly Comment[], agent: string, got: ReadonlySet<string>): Undelivered {
  const waiting = open.filter((one) => isFor(agent, one) && !got.has(one.id)).toSorted((a, b) => a.seq - b.seq);
  const comments = waiting.slice(0, COMMENT_LIMITS.delivered);
  return { comments, more: waiting.length - comments.length };
}

/** One that mentions agents is for those only. */
function isFor(agent: string, { by, forAgents, passed, mentions }: Comment): boolean {
  if (by.kind !== 'human' || !(forAgents || passed)) return false;
  const agents = mentions.filter((id) => isAgentId(id));
  return agents.length === 0 || agents.includes(agent);
}

/** Ids of agents are those of their keys, and their names after a slash. */
function isAgentId(participant: string): boolean {
  return participant.startsWith('k_');
}

/** What the agent reads of a comment. */
export function newsOf({ id, text, by, anchor }: Comment, page: PresentPage | undefined): CommentNews {
  const { role, name } = anchor ?? {};
  const ref = refOf(anchor, page);
  return {
    ...{ id, text, by: by.name },
    ...(ref !== undefined && { ref }),
    ...(role !== undefined && { role }),
    ...(name !== undefined && { name }),
  };
}
