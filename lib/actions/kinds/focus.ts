import { z } from 'zod';
import { printOnElement, readTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const focus = defineKind({
  schema: z
    .strictObject({ kind: z.literal('focus'), ...targetFields, ...envelopeFields })
    .check(checkTarget('element')),
  about: 'Give an element the keyboard focus.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'focus', ref: 'e12' },
  verbs: {
    focus:
      '{way, select, doing {{self, select, yes {are} other {is}} focusing} failed {could not focus} other {focused}} {target}',
  },
  steps: {
    verbs: { focus: { usage: 'focus [12]', read: readTarget } },
    print: (action) => printOnElement('focus', action),
  },
});
