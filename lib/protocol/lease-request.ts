import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { HELP_RESULTS, HELP_LIMITS } from '@/lib/help/help-request';

/**
 * Requests about the lease of a tab (CO4, CO5) and to people (CO6); the same at every door. `claim`: a person is on a
 * help request.
 */
export const LEASE_VERBS = [
  'take',
  'request',
  'grant',
  'deny',
  'release',
  'hand-over',
  'hand-back',
  'ask-human',
  'answer',
  'claim',
  'unclaim',
] as const;

/**
 * Fields beside `do`. `scope`: defaults to the session, for an agent that lets go to the tab. `to`: a participant's id
 * or name to hand over to. `note`: for an agent that gets the lease, or for an answer.
 */
export const leaseRequestFields = {
  scope: z.enum(['session', 'tab']).optional(),
  note: z.string().max(HELP_LIMITS.note).optional(),
  to: z.string().min(1).max(200).optional(),
  /** With `take`: hold the tab privately; false ends that (CO8). */
  private: z.boolean().optional(),
  /** Of a private hold: whether it ends by itself when the field is left. */
  until: z.enum(['field', 'ended']).optional(),
  /**
   * The reason: of a private hold, for the others to read; of a question, why a person is needed. `instructions`: what
   * the person should do.
   */
  reason: z.string().max(1_000).optional(),
  instructions: z.string().max(HELP_LIMITS.instructions).optional(),
  /** The element that the question is about. */
  ref: z.string().min(1).max(40).optional(),
  /** How long the question stays open, milliseconds. */
  expiresInMs: z.int().min(HELP_LIMITS.minMs).max(HELP_LIMITS.maxMs).optional(),
  /** How long the call waits, milliseconds. */
  timeoutMs: z.int().min(BUDGET_LIMITS.minMs).max(BUDGET_LIMITS.maxMs).optional(),
  /** Id of a question that was asked before: to wait for it again, to answer it, or to be on it. */
  question: z.string().min(1).max(200).optional(),
  /**
   * Result of an answer, or of a hand-back to an agent that has asked. `withdrawn`: the asker takes the request back.
   */
  result: z.enum([...HELP_RESULTS, 'withdrawn']).optional(),
} as const;

const leaseRequestSchema = z.object({ do: z.enum(LEASE_VERBS), ...leaseRequestFields });
export type LeaseRequest = z.infer<typeof leaseRequestSchema>;
