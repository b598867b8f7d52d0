import { z } from 'zod';
import { checkTarget, delaySchema, envelopeFields, targetFields } from '../shared';

/** What a person does with the keyboard. */

export const type = z
  .strictObject({
    kind: z.literal('type'),
    ...targetFields,
    ...envelopeFields,
    text: z.string().max(10_000),
    mode: z.enum(['replace', 'append']).optional(),
    slowly: z.boolean().optional(),
    submit: z.boolean().optional(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('optional-element'));

export const press = z
  .strictObject({
    kind: z.literal('press'),
    ...targetFields,
    ...envelopeFields,
    key: z.string().min(1).max(60).optional(),
    keys: z.array(z.string().min(1).max(60)).min(1).max(50).optional(),
    repeat: z.int().min(1).max(100).optional(),
    delayMs: delaySchema.optional(),
  })
  .check(checkTarget('optional-element'))
  .refine((action) => (action.key === undefined) !== (action.keys === undefined), {
    path: ['key'],
    message: 'or "keys" must be given, and not both',
  });
