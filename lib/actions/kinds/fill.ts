import { z } from 'zod';
import { checkTarget, envelopeFields, targetFields } from '../shared';

/**
 * One field of a form. `type`, such as `checkbox`, is what the caller takes it for: it decides how the text "true" is
 * read.
 */
const field = z
  .strictObject({
    ...targetFields,
    value: z.union([z.string().max(10_000), z.number(), z.boolean()], {
      error: 'must be text, a number, true or false',
    }),
    type: z.string().max(40).optional(),
  })
  .check(checkTarget('element'));

export const fill = z.strictObject({
  kind: z.literal('fill'),
  ...envelopeFields,
  fields: z.array(field).min(1).max(100),
  /** Put back what the fields held before when one of them cannot be filled. */
  atomic: z.boolean().optional(),
});
