import { z } from 'zod';
import { envelopeFields } from '../shared';

/** Actions that do nothing to a page. */

export const none = z.strictObject({ kind: z.literal('none'), ...envelopeFields });
export const stop = z.strictObject({
  kind: z.literal('stop'),
  ...envelopeFields,
  answer: z.string().max(100_000).optional(),
});
