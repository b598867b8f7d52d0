import { z } from 'zod';
import { printBrackets } from '@/lib/steps/brackets';
import { as, renamed } from '../rewrites';
import { checkTarget, envelopeFields, jsonSchema, targetFields } from '../shared';
import { defineKind } from './kind';

export const evaluate = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('evaluate'),
      ...targetFields,
      ...envelopeFields,
      fn: z.string().min(1).max(100_000),
      args: z.array(jsonSchema).max(20).optional(),
      returnMode: z.enum(['json', 'preview']).optional(),
      engine: z.enum(['auto', 'cdp', 'page']).optional(),
    })
    .check(checkTarget('optional-element')),
  about: 'Run JavaScript in the page, ended at its deadline.',
  timeoutMs: 20_000,
  access: 'write',
  example: { kind: 'evaluate', fn: '() => document.title' },
  runsScript: () => true,
  verbs: {
    evaluate:
      '{way, select, doing {{self, select, yes {are} other {is}} running a script} failed {ran a script that failed} other {ran a script}}',
  },
  sentence: (_, { on }) => `run a script${on === '' ? '' : ` on ${on}`}`,
  steps: {
    verbs: { evaluate: { usage: 'evaluate [code]', read: (args) => args.text('fn', 'the code') } },
    print: ({ fn }) => ({ verb: 'evaluate', args: [printBrackets(fn)], said: ['fn'] }),
  },
  older: { evaluate: renamed({ code: 'fn' }, as('evaluate')) },
});
