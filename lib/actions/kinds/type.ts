import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import { printRef, type Head } from '@/lib/steps/codec';
import { HIDDEN } from '../hidden';
import { quote } from '../phrases';
import { as } from '../rewrites';
import { checkTarget, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

const schema = z
  .strictObject({
    kind: z.literal('type'),
    ...targetFields,
    ...envelopeFields,
    text: z.string().max(10_000),
    mode: z.enum(['replace', 'append']).optional(),
    slowly: z.boolean().optional(),
    submit: z.boolean().optional(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('optional-element'));

export const type = defineKind({
  schema,
  about: 'Type text into an element or into what has the focus.',
  timeoutMs: 20_000,
  access: 'write',
  example: { kind: 'type', ref: 'e12', text: 'hello' },
  typed: ({ text }) => [text],
  withVariables: (action, put) => ({ ...action, text: put(action.text) }),
  masked: (action, secret) => (secret ? { ...action, text: HIDDEN } : action),
  pictureShowsValue: true,
  verbs: {
    type: '{way, select, doing {{self, select, yes {are} other {is}} typing} failed {could not type} other {typed}} into {target}',
  },
  verbsWithValue: {
    type: '{way, select, doing {{self, select, yes {are} other {is}} typing} failed {could not type} other {typed}} “{value}” into {target}',
  },
  value: ({ text }, secret) => (secret ? undefined : text),
  sentence: ({ text }, { on, secret }) =>
    `type ${secret ? '(hidden)' : quote(text)} into ${on === '' ? 'the focused field' : on}`,
  steps: {
    verbs: {
      type: {
        usage: 'type [12] [text] [0|1], where a last 0 leaves Enter out; append=true keeps what is there',
        read,
      },
    },
    print,
  },
  older: { input_text: as('type') },
});

/**
 * Two arguments press Enter, a third of exactly 0 or 1 decides it (ST3). An element named by a field counts as the
 * first.
 */
function read(args: ArgReader): void {
  if (args.left > 0 || !args.isNamed('text')) args.target();
  args.text('text', 'the text');
  const append = args.takeNamed('append');
  if (append !== undefined) {
    if (typeof append.value !== 'boolean') throw args.mistake(append.at, '"append" is true or false');
    args.set('mode', append.value ? 'append' : 'replace', append.at);
  }
  if (args.left > 0) readEnterFlag(args);
  else if (!args.isNamed('submit')) args.set('submit', true);
}

function readEnterFlag(args: ArgReader): void {
  const { text, at } = args.next('the Enter flag');
  if (text !== '0' && text !== '1') {
    throw args.mistake(at, 'the third argument can only be 0 or 1; write a ] inside the text as \\]');
  }
  args.set('submit', text === '1', at);
}

/** Without an element the text is printed by name, because the first argument in brackets is read as an element. */
function print(action: z.output<typeof schema>): Head {
  const mode = action.mode === 'append' ? ['append=true'] : [];
  const said = ['ref', 'text', 'submit', ...(action.mode === 'append' ? ['mode'] : [])];
  const submits = action.submit === true;
  if ((action.ref ?? action.role ?? action.selector ?? action.at ?? action.node) === undefined) {
    return {
      verb: 'type',
      args: [`text=${JSON.stringify(action.text)}`, ...(submits ? [] : ['submit=false']), ...mode],
      said,
    };
  }
  return {
    verb: 'type',
    args: [...printRef(action.ref), printBrackets(action.text), ...(submits ? [] : ['[0]']), ...mode],
    said,
  };
}
