import { z } from 'zod';
import { envelopeFields } from '../shared';

/**
 * What frees a tab that is stuck (EV4, CO9). Its holder may do it, and a person also where an agent or nobody has the
 * wheel; the wheel stays where it is.
 */
export const REMEDIES = [
  'stop-script',
  'resume',
  'stop-loading',
  'reload',
  'blank',
  'restart',
  'reopen',
  'answer-dialog',
] as const;
export type RemedyName = (typeof REMEDIES)[number];

export const remedy = z
  .strictObject({
    kind: z.literal('remedy'),
    ...envelopeFields,
    do: z.enum(REMEDIES),
    dialogId: z.string().max(60).optional(),
    accept: z.boolean().optional(),
    promptText: z.string().max(10_000).optional(),
  })
  .refine((action) => action.do !== 'answer-dialog' || action.accept !== undefined, {
    path: ['accept'],
    message: 'is missing: true presses OK, false presses Cancel',
  });
