import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import type { Head } from '@/lib/steps/codec';
import { clean, quote } from '../phrases';
import type { Fields } from '../rewrites';
import { envelopeFields, globSchema, refSchema } from '../shared';
import { defineKind } from './kind';

const conditionFields = {
  timeMs: z.int().min(0).max(30_000).optional(),
  /**
   * Here and in `textGone`, case and white space are ignored, because CSS may display a text differently from its
   * source.
   */
  text: z.string().min(1).max(1_000).optional(),
  textGone: z.string().min(1).max(1_000).optional(),
  selector: z.string().min(1).max(2_000).optional(),
  ref: refSchema.optional(),
  /** With `name` and `nth`, as in targets of other actions; the element need not exist yet. */
  role: z.string().min(1).max(80).optional(),
  name: z.string().max(1_000).optional(),
  nth: z.int().min(0).max(10_000).optional(),
  state: z.enum(['attached', 'detached', 'visible', 'hidden', 'enabled', 'disabled']).optional(),
  url: z.string().min(1).max(2_048).optional(),
  loadState: z.enum(['domcontentloaded', 'load', 'networkidle']).optional(),
  fn: z.string().min(1).max(100_000).optional(),
  stable: z.strictObject({ quietMs: z.int().min(50).max(10_000) }).optional(),
  /**
   * A response whose address matches the glob, from now on; with `since`, the `next` of GET …/requests, also one that
   * came after that cursor.
   */
  response: z
    .strictObject({
      url: globSchema,
      status: z.int().min(100).max(599).optional(),
      since: z.int().nonnegative().optional(),
    })
    .optional(),
} as const;

const CONDITION_KEYS = [
  'timeMs',
  'text',
  'textGone',
  'selector',
  'ref',
  'role',
  'url',
  'loadState',
  'fn',
  'stable',
  'response',
] as const;

const condition = z
  .strictObject(conditionFields)
  .check(nameGoesWithRole)
  .check((context) => {
    const given = CONDITION_KEYS.filter((key) => context.value[key] !== undefined);
    if (given.length === 1) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: [],
      message: `needs exactly one of ${CONDITION_KEYS.join(', ')}`,
    });
  });

function nameGoesWithRole({
  value,
  issues,
}: z.core.ParsePayload<{
  role?: string | undefined;
  name?: string | undefined;
  nth?: number | undefined;
}>): void {
  if (value.role !== undefined) return;
  for (const field of ['name', 'nth'] as const) {
    if (value[field] !== undefined) {
      issues.push({ code: 'custom', input: value, path: [field], message: 'goes with "role"' });
    }
  }
}

export type WaitCondition = z.infer<typeof condition>;

const conditions = z.array(condition).min(1).max(10);

const schema = z
  .strictObject({
    kind: z.literal('wait'),
    ...envelopeFields,
    ...conditionFields,
    all: conditions.optional(),
    any: conditions.optional(),
  })
  .check(nameGoesWithRole)
  .check((context) => {
    const { all, any } = context.value;
    const flat = CONDITION_KEYS.some((key) => context.value[key] !== undefined);
    if ([all !== undefined, any !== undefined, flat].filter(Boolean).length === 1) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: ['all'],
      message: `or "any" must be given, and only one of them; or, instead, any of ${CONDITION_KEYS.join(', ')}`,
    });
  });

type WaitAction = z.output<typeof schema>;

export const wait = defineKind({
  schema,
  about: 'Wait for text, an element, an address, a load state or a quiet page.',
  timeoutMs: 20_000,
  access: 'read',
  example: { kind: 'wait', text: 'Welcome' },
  runsScript: (action) => [action, ...(action.all ?? []), ...(action.any ?? [])].some(({ fn }) => fn !== undefined),
  waits: true,
  verbs: {
    wait: '{way, select, doing {{self, select, yes {are} other {is}} waiting} failed {waited in vain} other {finished waiting}}',
  },
  verbsWithValue: {
    wait: '{way, select, doing {{self, select, yes {are} other {is}} waiting for} failed {waited in vain for} other {waited for}} “{value}”',
  },
  value: ({ text, textGone, url }) => text ?? textGone ?? url,
  sentence: (action) => `wait for ${describeWait(action)}`,
  steps: { verbs: { wait: { usage: 'wait [text to appear] or wait [milliseconds]', read } }, print },
  older: { wait: inSeconds },
});

function inSeconds({ seconds, ...rest }: Fields): Fields {
  return typeof seconds === 'number' ? { timeMs: seconds * 1_000, ...rest } : rest;
}

function describeWait(action: WaitAction): string {
  const conditions: WaitCondition[] = action.all ?? action.any ?? [action];
  return conditions.flatMap(describeCondition).join(action.any ? ' or ' : ' and ') || 'a moment';
}

/** One entry for each condition: the flat older form may hold several. */
function describeCondition({
  text,
  textGone,
  url,
  timeMs,
  stable,
  selector,
  fn,
  response,
  ...rest
}: WaitCondition): string[] {
  const { loadState, ref, role, name } = rest;
  const words = [
    text === undefined ? undefined : quote(text),
    textGone === undefined ? undefined : `${quote(textGone)} to go`,
    url === undefined ? undefined : `the address ${clean(url)}`,
    timeMs === undefined ? undefined : `${timeMs} ms`,
    loadState,
    stable === undefined ? undefined : 'the page to be still',
    selector === undefined ? undefined : clean(selector),
    ref,
    role === undefined ? undefined : `${clean(role)}${name === undefined ? '' : ` ${quote(name)}`}`,
    fn === undefined ? undefined : 'a condition',
    response === undefined ? undefined : `a response from ${clean(response.url)}`,
  ];
  return words.filter((word) => word !== undefined);
}

function read(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('all', 'any', ...CONDITION_KEYS)) return;
  const { text, at } = args.next('what to wait for');
  if (/^\d+$/.test(text)) args.set('timeMs', Number(text), at);
  else args.set('text', text, at);
}

function print({ text, timeMs }: WaitAction): Head {
  if (timeMs !== undefined) return { verb: 'wait', args: [`[${timeMs}]`], said: ['timeMs'] };
  if (text === undefined || /^\d+$/.test(text)) return { verb: 'wait', args: [], said: [] };
  return { verb: 'wait', args: [printBrackets(text)], said: ['text'] };
}
