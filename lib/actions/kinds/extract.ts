import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printRef } from '@/lib/steps/codec';
import { as } from '../rewrites';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const extract = defineKind({
  schema: z
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
    ),
  about: 'Read the page or a part of it as text, Markdown, HTML, links, tables or attributes.',
  timeoutMs: 20_000,
  access: 'read',
  example: { kind: 'extract', what: 'markdown' },
  verbs: {
    extract:
      '{way, select, doing {{self, select, yes {are} other {is}} reading the page} failed {could not read the page} other {read the page}}',
  },
  sentence: ({ what }, { on }) => `read ${what}${on === '' ? '' : ` of ${on}`}`,
  steps: {
    verbs: {
      extract: {
        usage: 'extract [text|markdown|html|links|table|attrs], or extract [text] [12] for one element',
        read,
      },
    },
    print: ({ what, ref }) => ({ verb: 'extract', args: [`[${what}]`, ...printRef(ref)], said: ['what', 'ref'] }),
  },
  older: { text: as('extract', { what: 'text' }), extract_content: as('extract', { what: 'markdown' }) },
});

function read(args: ArgReader): void {
  args.text('what', 'what to read');
  if (args.left > 0) args.target();
}
