import { z } from 'zod';
import { commentNewsSchema } from '@/lib/comments/news';
import { downloadSchema } from '@/lib/files/views';
import { helpRequestSchema } from '@/lib/help/help-request';
import { wireErrorSchema } from '@/lib/errors/error';
import { receiptSchema } from './receipt';

export const dialogSchema = z.object({
  id: z.string(),
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  defaultText: z.string().optional(),
  openedAt: z.string(),
});
export type DialogView = z.infer<typeof dialogSchema>;

/** The reply to one action, on every door. Times: `startedAt` ISO 8601, `ms` milliseconds. */
export const replySchema = z.object({
  ok: z.boolean(),
  id: z.string(),
  kind: z.string(),
  tab: z.string(),
  url: z.string(),
  revision: z.number().optional(),
  startedAt: z.string(),
  ms: z.number(),
  engine: z.enum(['cdp', 'page']).optional(),
  via: z.enum(['node', 'role', 'selector', 'point']).optional(),
  typed: z.enum(['keys', 'mixed']).optional(),
  navigated: z.boolean().optional(),
  newTabs: z.array(z.string()).optional(),
  downloads: z.array(downloadSchema).optional(),
  dialogs: z.array(dialogSchema).optional(),
  value: z.unknown().optional(),
  snapshot: z.unknown().optional(),
  handoff: receiptSchema.optional(),
  /** Outcomes of the agent's help requests, each delivered once (CO6). */
  answers: z.array(helpRequestSchema).optional(),
  /** Comments of people, each once, at most ten at a time (TL3). */
  comments: z.array(commentNewsSchema).optional(),
  warnings: z.array(z.string()),
  error: wireErrorSchema.optional(),
});
export type Reply = z.infer<typeof replySchema>;

/** The result of a step (ST4). */
export const stepResultSchema = z.object({
  /** The tab for the caller's next step. Null when the session has no open tab. */
  tab: z.string().nullable(),
  /** The answer of a `stop` step; null for other steps. */
  answer: z.string().nullable(),
  /**
   * Whether the step changed the caller's view of the page, ignoring focus and scrolling; null when that is unknown,
   * for example in a page that hangs.
   */
  changed: z.boolean().nullable(),
});
export type StepResult = z.infer<typeof stepResultSchema>;
