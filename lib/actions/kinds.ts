import { z } from 'zod';
import { checkTarget, delaySchema, envelopeFields, jsonSchema, modifierSchema, refSchema, targetFields } from './shared';

/** One schema per kind (AC1, actions.md "Kinds"). What is not in this file cannot be done by any door. */

const url = z.string().min(1).max(2_048);

const click = z
  .strictObject({
    kind: z.literal('click'),
    ...targetFields,
    ...envelopeFields,
    count: z.int().min(1).max(3).optional(),
    doubleClick: z.boolean().optional(),
    button: z.enum(['left', 'right', 'middle']).optional(),
    modifiers: z.array(modifierSchema).max(5).optional(),
    holdMs: delaySchema.optional(),
    delayMs: delaySchema.optional(),
    force: z.boolean().optional(),
  })
  .check(checkTarget('required'));

const hover = z
  .strictObject({ kind: z.literal('hover'), ...targetFields, ...envelopeFields, force: z.boolean().optional() })
  .check(checkTarget('required'));

const focus = z.strictObject({ kind: z.literal('focus'), ...targetFields, ...envelopeFields }).check(checkTarget('element'));

const scrollIntoView = z
  .strictObject({ kind: z.literal('scrollIntoView'), ...targetFields, ...envelopeFields })
  .check(checkTarget('element'));

const type = z
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

const press = z
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

const check = z
  .strictObject({ kind: z.literal('check'), ...targetFields, ...envelopeFields, checked: z.boolean(), force: z.boolean().optional() })
  .check(checkTarget('element'));

const select = z
  .strictObject({
    kind: z.literal('select'),
    ...targetFields,
    ...envelopeFields,
    values: z.array(z.string().max(1_000)).min(1).max(100),
    by: z.enum(['auto', 'value', 'label', 'index']).optional(),
  })
  .check(checkTarget('element'));

const navigate = z.strictObject({
  kind: z.literal('navigate'),
  ...envelopeFields,
  url,
  waitUntil: z.enum(['commit', 'domcontentloaded', 'load', 'networkidle']).optional(),
  newTab: z.boolean().optional(),
});

const history = z.strictObject({
  kind: z.literal('history'),
  ...envelopeFields,
  go: z.enum(['back', 'forward', 'reload']),
  ignoreCache: z.boolean().optional(),
});

const pixels = z.number().min(-100_000).max(100_000);
const scroll = z
  .strictObject({
    kind: z.literal('scroll'),
    ...targetFields,
    ...envelopeFields,
    by: z.strictObject({ dx: pixels.optional(), dy: pixels.optional() }).optional(),
    pages: z.number().min(-100).max(100).optional(),
    to: z.enum(['top', 'bottom']).optional(),
  })
  .check(checkTarget('optional'))
  .refine((action) => [action.by, action.pages, action.to].filter((part) => part !== undefined).length === 1, {
    path: ['by'],
    message: 'or "pages" or "to" must be given, and only one of them',
  });

const conditionFields = {
  timeMs: z.int().min(0).max(30_000).optional(),
  text: z.string().min(1).max(1_000).optional(),
  textGone: z.string().min(1).max(1_000).optional(),
  selector: z.string().min(1).max(2_000).optional(),
  ref: refSchema.optional(),
  state: z.enum(['attached', 'detached', 'visible', 'hidden', 'enabled', 'disabled']).optional(),
  url: z.string().min(1).max(2_048).optional(),
  loadState: z.enum(['domcontentloaded', 'load', 'networkidle']).optional(),
  fn: z.string().min(1).max(100_000).optional(),
  stable: z.strictObject({ quietMs: z.int().min(50).max(10_000) }).optional(),
} as const;

export const CONDITION_KEYS = ['timeMs', 'text', 'textGone', 'selector', 'ref', 'url', 'loadState', 'fn', 'stable'] as const;

const condition = z.strictObject(conditionFields).check((context) => {
  const given = CONDITION_KEYS.filter((key) => context.value[key] !== undefined);
  if (given.length === 1) return;
  context.issues.push({
    code: 'custom',
    input: context.value,
    path: [],
    message: `needs exactly one of ${CONDITION_KEYS.join(', ')}`,
  });
});
export type WaitCondition = z.infer<typeof condition>;

const conditions = z.array(condition).min(1).max(10);
const wait = z
  .strictObject({ kind: z.literal('wait'), ...envelopeFields, ...conditionFields, all: conditions.optional(), any: conditions.optional() })
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

const evaluate = z
  .strictObject({
    kind: z.literal('evaluate'),
    ...targetFields,
    ...envelopeFields,
    fn: z.string().min(1).max(100_000),
    args: z.array(jsonSchema).max(20).optional(),
    returnMode: z.enum(['json', 'preview']).optional(),
  })
  .check(checkTarget('optional-element'));

export const snapshotOptionFields = {
  view: z.enum(['ai', 'role']).optional(),
  interactive: z.boolean().optional(),
  compact: z.boolean().optional(),
  depth: z.int().min(1).max(100).optional(),
  maxChars: z.int().min(200).max(1_000_000).optional(),
  urls: z.boolean().optional(),
  preset: z.enum(['efficient']).optional(),
} as const;

const snapshot = z
  .strictObject({ kind: z.literal('snapshot'), ...targetFields, ...envelopeFields, ...snapshotOptionFields })
  .omit({ snapshot: true })
  .check(checkTarget('optional-element'));

const screenshot = z
  .strictObject({
    kind: z.literal('screenshot'),
    ...targetFields,
    ...envelopeFields,
    fullPage: z.boolean().optional(),
    format: z.enum(['png', 'jpeg', 'webp']).optional(),
    quality: z.int().min(1).max(100).optional(),
  })
  .check(checkTarget('optional-element'))
  .refine((action) => !(action.fullPage === true && (action.ref ?? action.role ?? action.selector) !== undefined), {
    path: ['fullPage'],
    message: 'cannot be used together with an element',
  });

const label = z.string().min(1).max(60).regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u, 'may hold letters, digits, spaces and _ . -');
const tab = z
  .strictObject({
    kind: z.literal('tab'),
    ...envelopeFields,
    do: z.enum(['open', 'focus', 'close', 'label', 'list']),
    url: url.optional(),
    index: z.int().min(0).max(1_000).optional(),
    label: label.optional(),
  })
  .refine((action) => action.do !== 'label' || action.label !== undefined, { path: ['label'], message: 'is missing: give the name for the tab' });

const dialog = z
  .strictObject({
    kind: z.literal('dialog'),
    ...envelopeFields,
    do: z.enum(['answer', 'arm', 'disarm']),
    dialogId: z.string().max(60).optional(),
    accept: z.boolean().optional(),
    promptText: z.string().max(10_000).optional(),
  })
  .refine((action) => action.do === 'disarm' || action.accept !== undefined, { path: ['accept'], message: 'is missing: true presses OK, false presses Cancel' });

const resize = z.strictObject({
  kind: z.literal('resize'),
  ...envelopeFields,
  width: z.int().min(1).max(8_192),
  height: z.int().min(1).max(8_192),
});

const none = z.strictObject({ kind: z.literal('none'), ...envelopeFields });
const stop = z.strictObject({ kind: z.literal('stop'), ...envelopeFields, answer: z.string().max(100_000).optional() });

/** Every action there is, told apart by `kind`. */
export const actionSchema = z.discriminatedUnion('kind', [
  click, hover, focus, scrollIntoView, type, press, check, select, navigate, history, scroll, wait,
  evaluate, snapshot, screenshot, tab, dialog, resize, none, stop,
]);

export type Action = z.infer<typeof actionSchema>;
export type ActionKind = Action['kind'];
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>;
export type { Point } from './shared';
