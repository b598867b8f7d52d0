import { z } from 'zod';

/** A question of an agent to people (CO6): its data inside the server and on the wire. */

/** Limits of a help request. Texts in characters, times in milliseconds. */
export const HELP_LIMITS = {
  reason: 400,
  instructions: 4_000,
  note: 1_000,
  /** How long it stays open: minimum, default, maximum. Milliseconds. */
  minMs: 1_000,
  defaultMs: 900_000,
  maxMs: 86_400_000,
  /** Open ones of a session. */
  open: 20,
  /** Closed ones of a session that can still be asked about. */
  kept: 50,
} as const;

/** The answers that a person can give; `note` is neither success nor failure. */
export const HELP_RESULTS = ['done', 'could-not', 'note'] as const;
export type HelpResult = (typeof HELP_RESULTS)[number];

const whoSchema = z.object({ id: z.string(), name: z.string(), kind: z.enum(['human', 'agent']) });

export const helpQuestionSchema = z.object({
  id: z.string(),
  tab: z.string(),
  by: whoSchema,
  /** In one line, cleaned. */
  reason: z.string(),
  instructions: z.string().optional(),
  /** The element that the request is about, as it was at that time; its name is page text. */
  element: z.object({ ref: z.string(), role: z.string(), name: z.string() }).optional(),
  /** ISO 8601, for display. */
  askedAt: z.string(),
  /** How long it may stay open, milliseconds. */
  lifeMs: z.number(),
});
export type HelpQuestion = z.infer<typeof helpQuestionSchema>;

const answerSchema = z.object({
  result: z.enum(HELP_RESULTS),
  note: z.string().optional(),
  by: whoSchema,
  at: z.string(),
});
export type HelpAnswer = z.infer<typeof answerSchema>;

/** A person who said "I'm on it": the others are not called any more. */
export const helpClaimSchema = z.object({ by: whoSchema, at: z.string() });
export type HelpClaim = z.infer<typeof helpClaimSchema>;

/**
 * How a help request ended: a person answered, its time ran out, the agent withdrew it, or its tab or its agent's key
 * is gone.
 */
export const helpOutcomeSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('answered'), answer: answerSchema }),
  z.object({ state: z.enum(['expired', 'withdrawn', 'gone']) }),
]);
export type HelpOutcome = z.infer<typeof helpOutcomeSchema>;

export interface OpenHelpRequest {
  readonly state: 'open';
  readonly asked: HelpQuestion;
  /** When it expires, monotonic milliseconds of the owner's clock. */
  readonly until: number;
  readonly claimed: HelpClaim | undefined;
}

export interface ClosedHelpRequest {
  readonly state: 'closed';
  readonly asked: HelpQuestion;
  readonly outcome: HelpOutcome;
  /** The agent has got the outcome. */
  readonly delivered: boolean;
}

export type HelpRequest = OpenHelpRequest | ClosedHelpRequest;

/** The request as all participants see it. */
export const helpRequestSchema = helpQuestionSchema.omit({ lifeMs: true }).extend({
  state: z.enum(['open', 'answered', 'expired', 'withdrawn', 'gone']),
  /** While it is open: milliseconds from now until it expires. */
  leftMs: z.int().optional(),
  /** While it is open: the person who is on it. */
  claimed: helpClaimSchema.optional(),
  answer: answerSchema.optional(),
});
export type HelpRequestView = z.infer<typeof helpRequestSchema>;

/** @param now monotonic milliseconds of the clock that `until` is of */
export function helpRequestView(question: HelpRequest, now: number): HelpRequestView {
  const { lifeMs: _, ...asked } = question.asked;
  if (question.state === 'closed') return { ...asked, ...question.outcome };
  const leftMs = Math.max(0, Math.round(question.until - now));
  return { ...asked, state: 'open', leftMs, ...(question.claimed && { claimed: question.claimed }) };
}
