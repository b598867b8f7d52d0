import { z } from 'zod';
import { printOnElement, readTarget } from '@/lib/steps/codec';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

/** Does not change the page: Chrome draws the frame over the picture, and removes it after a moment. */
export const highlight = defineKind({
  schema: z
    .strictObject({ kind: z.literal('highlight'), ...targetFields, ...envelopeFields })
    .check(checkTarget('element')),
  about: 'Draw a frame around an element for a moment, without touching the page.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'highlight', ref: 'e12' },
  quiet: ['highlight'],
  verbs: {
    highlight:
      '{way, select, doing {{self, select, yes {are} other {is}} pointing out} failed {could not point out} other {pointed out}} {target}',
  },
  steps: {
    verbs: { highlight: { usage: 'highlight [12]', read: readTarget } },
    print: (action) => printOnElement('highlight', action),
  },
});
