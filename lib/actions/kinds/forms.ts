import { z } from 'zod';
import { checkTarget, envelopeFields, targetFields } from '../shared';

/** Fields that are set rather than typed into. */

export const check = z
  .strictObject({
    kind: z.literal('check'),
    ...targetFields,
    ...envelopeFields,
    checked: z.boolean(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('element'));

export const select = z
  .strictObject({
    kind: z.literal('select'),
    ...targetFields,
    ...envelopeFields,
    values: z.array(z.string().max(1_000)).min(1).max(100),
    by: z.enum(['auto', 'value', 'label', 'index']).optional(),
  })
  .check(checkTarget('element'));
