import { z } from 'zod';
import { printOnElement, readTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

export const scrollIntoView = defineKind({
  schema: z
    .strictObject({ kind: z.literal('scrollIntoView'), ...targetFields, ...envelopeFields })
    .check(checkTarget('element')),
  about: 'Scroll until an element can be seen.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'scrollIntoView', ref: 'e12' },
  verbs: {
    scrollIntoView:
      '{way, select, doing {{self, select, yes {are} other {is}} scrolling} failed {could not scroll} other {scrolled}} to {target}',
  },
  sentence: (_, { on }) => `scroll to ${on}`,
  steps: {
    verbs: { scroll_to: { usage: 'scroll_to [12]', read: readTarget } },
    aliases: { scrollintoview: 'scroll_to' },
    print: (action) => printOnElement('scroll_to', action),
  },
});
