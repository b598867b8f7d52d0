import { z } from 'zod';
import { printOnElement, readOptionalTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { snapshotOptionFields } from '../snapshot-options';
import { defineKind } from './kind';

export const snapshot = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('snapshot'),
      ...targetFields,
      ...envelopeFields,
      ...snapshotOptionFields,
      /** A picture of the page with the refs drawn on it, and a list of them with their places in it (SN9). */
      labels: z.boolean().optional(),
    })
    .omit({ snapshot: true })
    .check(checkTarget('optional-element', 'of-action')),
  about: 'Read the page as text lines with refs.',
  timeoutMs: 20_000,
  access: 'read',
  example: { kind: 'snapshot', interactive: true },
  limitedForOnlookers: true,
  verbs: {
    snapshot:
      '{way, select, doing {{self, select, yes {are} other {is}} reading the page} failed {could not read the page} other {read the page}}',
  },
  steps: {
    verbs: { snapshot: { usage: 'snapshot', read: readOptionalTarget } },
    print: (action) => printOnElement('snapshot', action),
  },
});
