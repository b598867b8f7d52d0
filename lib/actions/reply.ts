import { z } from 'zod';
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
  navigated: z.boolean().optional(),
  newTabs: z.array(z.string()).optional(),
  downloads: z.array(downloadSchema).optional(),
  dialogs: z.array(dialogSchema).optional(),
  value: z.unknown().optional(),
  snapshot: z.unknown().optional(),
  handoff: receiptSchema.optional(),
  /** Outcomes of the agent's help requests, each delivered once (CO6). */
  answers: z.array(helpRequestSchema).optional(),
  warnings: z.array(z.string()),
  error: wireErrorSchema.optional(),
});
export type Reply = z.infer<typeof replySchema>;

/** The result of a step (ST4). */
export const stepResultSchema = z.object({
  /** Where the caller is now: the tab that its next step is for. Null when the session has none open. */
  tab: z.string().nullable(),
  /** Of `stop`, which ends the task; null while it goes on. */
  answer: z.string().nullable(),
  /**
   * Whether the caller sees something else than before the step, beside focus and scrolling; null where that cannot be
   * seen, as in a page that hangs.
   */
  changed: z.boolean().nullable(),
});
export type StepResult = z.infer<typeof stepResultSchema>;
