import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import type { Head } from '@/lib/steps/codec';
import { clean, keysShown } from '../phrases';
import { as, renamed } from '../rewrites';
import { checkTarget, delaySchema, envelopeFields, targetFields } from '../shared';
import { defineKind } from './kind';

const schema = z
  .strictObject({
    kind: z.literal('press'),
    ...targetFields,
    ...envelopeFields,
    key: z.string().min(1).max(60).optional(),
    keys: z.array(z.string().min(1).max(60)).min(1).max(50).optional(),
    repeat: z.int().min(1).max(100).optional(),
    delayMs: delaySchema.optional(),
  })
  .check(checkTarget('optional-element'))
  .refine((action) => (action.key === undefined) !== (action.keys === undefined), {
    path: ['key'],
    message: 'or "keys" must be given, and not both',
  });

type PressAction = z.output<typeof schema>;

export const press = defineKind({
  schema,
  about: 'Press a key or a chord such as Control+A.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'press', key: 'Control+A' },
  withVariables: (action, put) => ({
    ...action,
    ...(action.key === undefined ? {} : { key: put(action.key) }),
    ...(action.keys ? { keys: action.keys.map(put) } : {}),
  }),
  masked: (action, secret) => (secret && [...(action.key ?? '')].length === 1 ? { ...action, key: '•' } : action),
  verbs: {
    press:
      '{way, select, doing {{self, select, yes {are} other {is}} pressing} failed {could not press} other {pressed}} a key',
  },
  verbsWithValue: {
    press:
      '{way, select, doing {{self, select, yes {are} other {is}} pressing} failed {could not press} other {pressed}} {value}',
  },
  value: (action, secret) => keysShown(keysOf(action), secret),
  sentence: (action, { secret }) => `press ${clean(keysShown(keysOf(action), secret))}`,
  steps: { verbs: { press: { usage: 'press [Control+A]', read } }, print },
  older: { send_keys: renamed({ keys: 'key' }, as('press')) },
});

function keysOf({ key, keys }: PressAction): readonly string[] {
  return keys ?? [key ?? ''];
}

const META = /(?<=^|\+)(\s*)(?:Meta|Cmd|Command)(?=\s*(?:\+|$))/gi;
const CONTROL = /(?:^|\+)\s*(?:Control|Ctrl|Ctl)\s*(?:\+|$)/i;

/**
 * Agents write Meta, anywhere in a chord, for the platform's shortcut key, which is Control except on macOS (ST3).
 * Beside Control, and in `key="Meta+A"`, Meta is Meta itself.
 */
function platformChord(text: string): string {
  return CONTROL.test(text) ? text : text.replace(META, '$1ControlOrMeta');
}

function read(args: ArgReader): void {
  if (args.isNamed('key', 'keys')) return;
  const { text, at } = args.next('the key');
  args.set('key', platformChord(text), at);
}

/** Prints a chord with Meta by name, because in brackets it would mean the platform's shortcut key (ST3). */
function print({ key }: PressAction): Head {
  if (key === undefined || platformChord(key) !== key) return { verb: 'press', args: [], said: [] };
  return { verb: 'press', args: [printBrackets(key)], said: ['key'] };
}
