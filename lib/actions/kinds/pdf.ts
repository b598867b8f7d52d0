import { z } from 'zod';
import { readNothing } from '@/lib/steps/codec';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

export const pdf = defineKind({
  schema: z.strictObject({
    kind: z.literal('pdf'),
    ...envelopeFields,
    landscape: z.boolean().optional(),
    background: z.boolean().optional(),
    paper: z.enum(['a3', 'a4', 'a5', 'letter', 'legal', 'tabloid']).optional(),
  }),
  about: 'Print the page to a PDF.',
  timeoutMs: 30_000,
  access: 'read',
  example: { kind: 'pdf' },
  verbs: {
    pdf: '{way, select, doing {{self, select, yes {are} other {is}} printing the page} failed {could not print the page} other {printed the page}}',
  },
  sentence: () => 'print the page to a PDF',
  steps: {
    verbs: { pdf: { usage: 'pdf', read: readNothing } },
    print: () => ({ verb: 'pdf', args: [], said: [] }),
  },
});
