import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOptional, readDo } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { count, GET_SET_CLEAR } from '../phrases';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const WORD = { get: 'clipboardGet', set: 'clipboardSet', clear: 'clipboardClear' } as const;

/**
 * The session's own clipboard (SE6), which copy and paste keys of this session use. Reading it needs the lease too
 * (T20).
 */
export const clipboard = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('clipboard'),
      ...envelopeFields,
      do: z.enum(['get', 'set', 'clear']),
      /** For set. */
      text: z.string().max(100_000).optional(),
    })
    .refine((action) => (action.do === 'set') === (action.text !== undefined), {
      path: ['text'],
      message: 'goes with do "set", which needs it',
    }),
  about: "Read, set or clear the session's clipboard, which copy and paste keys use.",
  timeoutMs: 5_000,
  access: 'write',
  example: { kind: 'clipboard', do: 'set', text: 'hello' },
  // Out of the page and into it are two rights (T20).
  grant: ({ do: deed }) => (deed === 'get' ? 'clipboard:copy' : 'clipboard:paste'),
  reachesOtherTabs: true,
  withVariables: (action, put) => (action.text === undefined ? action : { ...action, text: put(action.text) }),
  masked: (action) => (action.text === undefined ? action : { ...action, text: HIDDEN }),
  verbs: {
    clipboardGet:
      '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the clipboard of the session',
    clipboardSet:
      '{way, select, doing {{self, select, yes {are} other {is}} filling} failed {could not fill} other {filled}} the clipboard of the session',
    clipboardClear:
      '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} the clipboard of the session',
  },
  verb: ({ do: deed }) => WORD[deed],
  sentence: ({ do: deed, text }) =>
    `${GET_SET_CLEAR[deed]} the clipboard${text === undefined ? '' : ` (${count([...text], 'character')})`}`,
  steps: {
    verbs: { clipboard: { usage: 'clipboard [get|set|clear] [text for set]', read } },
    print: ({ do: deed, text }) => ({
      verb: 'clipboard',
      args: [`[${deed}]`, ...printOptional(text)],
      said: ['do', 'text'],
    }),
  },
});

function read(args: ArgReader): void {
  readDo(args);
  if (args.left > 0) args.text('text', 'the text');
}
