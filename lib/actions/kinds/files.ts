import { z } from 'zod';
import { checkTarget, envelopeFields, targetFields } from '../shared';

/** Files of the session, in and out of a page (DI2). */

const fileName = z.string().min(1).max(200);

/** Without an element: for the chooser that is open, else for the next one. At a point: dropped there. */
export const upload = z
  .strictObject({
    kind: z.literal('upload'),
    ...targetFields,
    ...envelopeFields,
    /** Names of files in the session's own folder. */
    paths: z.array(fileName).min(1).max(50),
  })
  .check(checkTarget('optional'));

export const download = z
  .strictObject({
    kind: z.literal('download'),
    ...targetFields,
    ...envelopeFields,
    do: z.enum(['wait', 'click']),
    /** Name to keep it under. */
    saveAs: fileName.optional(),
  })
  .check(checkTarget('optional-element'))
  .refine(
    ({ do: deed, ref, role, selector, node }) =>
      (deed === 'click') === ((ref ?? role ?? selector ?? node) !== undefined),
    { path: ['ref'], message: 'goes with "do": "click", which needs an element' },
  );
