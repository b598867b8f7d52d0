import { z } from 'zod';
import { checkTarget, envelopeFields, jsonSchema, targetFields } from '../shared';
import { snapshotOptionFields } from '../snapshot-options';

/** Reading a page. */

export const evaluate = z
  .strictObject({
    kind: z.literal('evaluate'),
    ...targetFields,
    ...envelopeFields,
    fn: z.string().min(1).max(100_000),
    args: z.array(jsonSchema).max(20).optional(),
    returnMode: z.enum(['json', 'preview']).optional(),
    engine: z.enum(['auto', 'cdp', 'page']).optional(),
  })
  .check(checkTarget('optional-element'));

/** Refs drawn on a picture of the page, and a list of them with their places in it (SN9). */
const labels = z.boolean().optional();

export const snapshot = z
  .strictObject({ kind: z.literal('snapshot'), ...targetFields, ...envelopeFields, ...snapshotOptionFields, labels })
  .omit({ snapshot: true })
  .check(checkTarget('optional-element', 'of-action'));

export const screenshot = z
  .strictObject({
    kind: z.literal('screenshot'),
    ...targetFields,
    ...envelopeFields,
    fullPage: z.boolean().optional(),
    format: z.enum(['png', 'jpeg', 'webp']).optional(),
    quality: z.int().min(1).max(100).optional(),
    labels,
  })
  .check(checkTarget('optional-element'))
  .refine((action) => !(action.fullPage === true && (action.ref ?? action.role ?? action.selector) !== undefined), {
    path: ['fullPage'],
    message: 'cannot be used together with an element',
  });

export const extract = z
  .strictObject({
    kind: z.literal('extract'),
    ...targetFields,
    ...envelopeFields,
    what: z.enum(['text', 'markdown', 'html', 'links', 'table', 'attrs']),
    maxChars: z.int().min(200).max(1_000_000).optional(),
  })
  .check(checkTarget('optional-element'))
  .refine(
    ({ what, ref, role, selector, node }) => what !== 'attrs' || (ref ?? role ?? selector ?? node) !== undefined,
    { path: ['ref'], message: 'is missing: name the element whose attributes are wanted' },
  );

export const pdf = z.strictObject({
  kind: z.literal('pdf'),
  ...envelopeFields,
  landscape: z.boolean().optional(),
  background: z.boolean().optional(),
  paper: z.enum(['a3', 'a4', 'a5', 'letter', 'legal', 'tabloid']).optional(),
});
