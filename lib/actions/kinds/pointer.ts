import { z } from 'zod';
import { checkTarget, delaySchema, envelopeFields, modifierSchema, targetFields, targetSchema } from '../shared';

/** What a person does with the mouse. */

export const click = z
  .strictObject({
    kind: z.literal('click'),
    ...targetFields,
    ...envelopeFields,
    count: z.int().min(1).max(3).optional(),
    doubleClick: z.boolean().optional(),
    button: z.enum(['left', 'right', 'middle']).optional(),
    modifiers: z.array(modifierSchema).max(5).optional(),
    holdMs: delaySchema.optional(),
    delayMs: delaySchema.optional(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('required'));

export const hover = z
  .strictObject({ kind: z.literal('hover'), ...targetFields, ...envelopeFields, force: z.boolean().optional() })
  .check(checkTarget('required'));

export const focus = z
  .strictObject({ kind: z.literal('focus'), ...targetFields, ...envelopeFields })
  .check(checkTarget('element'));

export const scrollIntoView = z
  .strictObject({ kind: z.literal('scrollIntoView'), ...targetFields, ...envelopeFields })
  .check(checkTarget('element'));

/** The page is left as it is: the frame is drawn over its picture and goes by itself. */
export const highlight = z
  .strictObject({ kind: z.literal('highlight'), ...targetFields, ...envelopeFields })
  .check(checkTarget('element'));

export const drag = z.strictObject({
  kind: z.literal('drag'),
  ...envelopeFields,
  from: targetSchema,
  to: targetSchema,
  /** Moves between the press and the release. */
  steps: z.int().min(1).max(100).optional(),
  force: z.boolean().optional(),
});
