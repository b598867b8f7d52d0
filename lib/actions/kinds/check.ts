import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOnElement } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const check = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('check'),
      ...targetFields,
      ...envelopeFields,
      checked: z.boolean(),
      force: z.boolean().optional(),
    })
    .check(checkTarget('element')),
  about: 'Set a checkbox, radio button or switch.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'check', ref: 'e12', checked: true },
  verbs: {
    check:
      '{way, select, doing {{self, select, yes {are} other {is}} ticking} failed {could not tick} other {ticked}} {target}',
    uncheck:
      '{way, select, doing {{self, select, yes {are} other {is}} unticking} failed {could not untick} other {unticked}} {target}',
  },
  verb: ({ checked }) => (checked ? 'check' : 'uncheck'),
  sentence: ({ checked }, { on }) => `${checked ? 'check' : 'uncheck'} ${on}`,
  steps: {
    verbs: {
      check: { usage: 'check [12]', read: (args) => readCheck(args, true) },
      uncheck: { usage: 'uncheck [12]', read: (args) => readCheck(args, false) },
    },
    print: (action) => printOnElement(action.checked ? 'check' : 'uncheck', action, [], ['checked']),
  },
});

function readCheck(args: ArgReader, checked: boolean): void {
  args.target();
  args.set('checked', checked);
}
