import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import { printOnElement } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { list } from '../phrases';
import { as } from '../rewrites';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const select = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('select'),
      ...targetFields,
      ...envelopeFields,
      values: z.array(z.string().max(1_000)).min(1).max(100),
      by: z.enum(['auto', 'value', 'label', 'index']).optional(),
    })
    .check(checkTarget('element')),
  about: 'Choose options of a select by value, label or index.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'select', ref: 'e12', values: ['Blue'] },
  withVariables: (action, put) => ({ ...action, values: action.values.map(put) }),
  masked: (action, secret) => (secret ? { ...action, values: [HIDDEN] } : action),
  verbs: {
    select:
      '{way, select, doing {{self, select, yes {are} other {is}} choosing} failed {could not choose} other {chose}} from {target}',
  },
  verbsWithValue: {
    select:
      '{way, select, doing {{self, select, yes {are} other {is}} choosing} failed {could not choose} other {chose}} “{value}” in {target}',
  },
  value: ({ values }, secret) => (secret ? undefined : values.slice(0, 5).join(', ')),
  sentence: ({ values }, { on, secret }) => `select ${secret ? '(hidden)' : list(values)} in ${on}`,
  steps: {
    verbs: { select: { usage: 'select [12] [option] [another option]', read } },
    aliases: { select_option: 'select' },
    print: (action) => printOnElement('select', action, action.values.map(printBrackets), ['values']),
  },
  older: { select_option: as('select') },
});

function read(args: ArgReader): void {
  args.target();
  args.rest('values', 'the option');
}
