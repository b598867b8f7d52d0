import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOptional, type Head } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { as } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const schema = z
  .strictObject({
    kind: z.literal('dialog'),
    ...envelopeFields,
    do: z.enum(['answer', 'arm', 'disarm']),
    dialogId: z.string().max(60).optional(),
    accept: z.boolean().optional(),
    promptText: z.string().max(10_000).optional(),
  })
  .refine((action) => action.do === 'disarm' || action.accept !== undefined, {
    path: ['accept'],
    message: 'is missing: true presses OK, false presses Cancel',
  });

type DialogAction = z.output<typeof schema>;

export const dialog = defineKind({
  schema,
  about: 'Answer the open dialog, or arm an answer for the next one.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'dialog', do: 'answer', accept: true },
  withVariables: (action, put) => withText(action, put),
  masked: (action) => withText(action, () => HIDDEN),
  verbs: {
    dialogAccept:
      '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with OK',
    dialogDismiss:
      '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with Cancel',
    dialogArm:
      '{way, select, doing {{self, select, yes {are} other {is}} preparing} failed {could not prepare} other {prepared}} an answer for the next dialog',
    dialogDisarm:
      '{way, select, doing {{self, select, yes {are} other {is}} taking} failed {could not take} other {took}} back the answer for the next dialog',
  },
  verb: ({ do: deed, accept }) => {
    if (deed !== 'answer') return deed === 'arm' ? 'dialogArm' : 'dialogDisarm';
    return accept === true ? 'dialogAccept' : 'dialogDismiss';
  },
  sentence: ({ do: deed, accept }) =>
    deed === 'answer'
      ? `${accept === true ? 'accept' : 'dismiss'} the dialog`
      : `${deed} an answer for the next dialog`,
  steps: { verbs: { dialog: { usage: 'dialog [accept|dismiss] [text for a prompt]', read } }, print },
  older: { 'hooks/dialog': as('dialog', { do: 'arm' }) },
});

function withText(action: DialogAction, put: (text: string) => string): DialogAction {
  return action.promptText === undefined ? action : { ...action, promptText: put(action.promptText) };
}

/** `dialog [accept]` answers the open one; `do=arm` keeps the answer for the next. */
function read(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('do')) return;
  const { text, at } = args.next('accept or dismiss');
  const word = text.trim().toLowerCase();
  if (word !== 'accept' && word !== 'dismiss') {
    throw args.mistake(at, 'a dialog is answered with accept or dismiss');
  }
  if (!args.isNamed('do')) args.set('do', 'answer');
  args.set('accept', word === 'accept', at);
  if (args.left > 0) args.text('promptText', 'the text for the prompt');
}

function print({ do: deed, accept, promptText }: DialogAction): Head {
  const said = deed === 'answer' ? ['do', 'accept', 'promptText'] : ['accept', 'promptText'];
  if (accept === undefined) return { verb: 'dialog', args: [], said: [] };
  return { verb: 'dialog', args: [accept ? '[accept]' : '[dismiss]', ...printOptional(promptText)], said };
}
