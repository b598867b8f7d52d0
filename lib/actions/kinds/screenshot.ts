import { z } from 'zod';
import { printOnElement, readOptionalTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const screenshot = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('screenshot'),
      ...targetFields,
      ...envelopeFields,
      fullPage: z.boolean().optional(),
      format: z.enum(['png', 'jpeg', 'webp']).optional(),
      quality: z.int().min(1).max(100).optional(),
      /** Refs drawn on the picture, and a list of them with their places in it (SN9). */
      labels: z.boolean().optional(),
    })
    .check(checkTarget('optional-element'))
    .refine((action) => !(action.fullPage === true && (action.ref ?? action.role ?? action.selector) !== undefined), {
      path: ['fullPage'],
      message: 'cannot be used together with an element',
    }),
  about: 'Take a picture of the tab, the whole page or an element.',
  timeoutMs: 20_000,
  access: 'read',
  example: { kind: 'screenshot', fullPage: true },
  verbs: {
    screenshot:
      '{way, select, doing {{self, select, yes {are} other {is}} taking a picture} failed {could not take a picture} other {took a picture}}',
  },
  steps: {
    verbs: { screenshot: { usage: 'screenshot, or screenshot [12] for one element', read: readOptionalTarget } },
    print: (action) => printOnElement('screenshot', action),
  },
});
