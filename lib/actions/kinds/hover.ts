import { z } from 'zod';
import { printOnElement, readTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const hover = defineKind({
  schema: z
    .strictObject({ kind: z.literal('hover'), ...targetFields, ...envelopeFields, force: z.boolean().optional() })
    .check(checkTarget('required')),
  about: 'Move the pointer over an element or a point.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'hover', ref: 'e12' },
  verbs: {
    hover:
      '{way, select, doing {{self, select, yes {are} other {is}} pointing} failed {could not point} other {pointed}} at {target}',
  },
  steps: {
    verbs: { hover: { usage: 'hover [12]', read: readTarget } },
    print: (action) => printOnElement('hover', action),
  },
});
