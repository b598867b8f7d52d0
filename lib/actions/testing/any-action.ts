import fc from 'fast-check';
import { actionSchema, type Action } from '@/lib/actions/kinds';

/** Random valid actions of every kind, for properties. */

const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<object> =>
  fc.record(model, { requiredKeys: [] });

/** Text with characters that are special in the step language. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('[', ']', '\\', '"', '\n', '\t', '\r', 'n', '0', '1', '=', ' ', ',', ')', '(', '`'),
    maxLength: 12,
  }),
  fc.constantFrom('', '0', '1', '12', 'append=true', 'e12', '\\n', '] [0]', '{"a":1}', '中文\u2028', '\ud800'),
);
const filled = text.filter((value) => value.length > 0);
const flag = fc.boolean();
const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const decimal = fc.double({ min: -90, max: 90, noNaN: true }).map((value) => (value === 0 ? 0 : value));
const point = fc.record({ x: decimal, y: decimal });
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.stringify(value))
  .map((value): unknown => JSON.parse(value));

const ref = whole(0, 999_999).map((number) => ({ ref: `e${number}` }));
const role = fc.record({ role: filled, name: text, nth: whole(0, 9) }, { requiredKeys: ['role'] });
const selector = fc.record({ selector: filled, nth: whole(0, 9) }, { requiredKeys: ['selector'] });
const nothing = fc.constant({});
const element = fc.oneof(ref, role, selector);
const pointed = fc.oneof(element, fc.record({ at: point }));

const envelope = some({
  id: filled,
  epoch: whole(0, 99),
  tab: filled,
  timeoutMs: whole(50, 120_000),
  note: text,
  snapshot: fc.constantFrom('none', 'delta', 'full'),
  expect: fc.oneof(fc.record({ text: filled }), fc.record({ changed: flag, target: element })),
});
const snapshotEnvelope = some({
  id: filled,
  epoch: whole(0, 99),
  tab: filled,
  timeoutMs: whole(50, 120_000),
  note: text,
});

const condition = fc.oneof(
  fc.record({ text: filled }),
  fc.record({ textGone: filled }),
  fc.record({ url: filled }),
  fc.record({ timeMs: whole(0, 30_000) }),
  fc.record({ selector: filled, state: fc.constantFrom('visible', 'hidden') }),
  fc.record({ ref: whole(1, 99).map((number) => `e${number}`) }),
  fc.record({ stable: fc.record({ quietMs: whole(50, 900) }) }),
  fc.record({ loadState: fc.constantFrom('load', 'networkidle') }),
  fc.record({ fn: filled }),
  fc.record({ response: fc.record({ url: filled, status: whole(100, 599) }, { requiredKeys: ['url'] }) }),
);
const keyOrKeys = fc.oneof(
  fc.record({ key: fc.oneof(filled, fc.constantFrom('Meta+A', 'cmd + c', 'Meta', 'Control+A')) }),
  fc.record({ keys: fc.array(filled, { minLength: 1, maxLength: 3 }) }),
);
const label = fc.constantFrom('cart', 'my tab', '7');
const amount = fc.oneof(
  fc.record({ by: some({ dx: decimal, dy: decimal }) }),
  fc.record({ pages: fc.oneof(decimal, fc.constantFrom(1, -1)) }),
  fc.record({ to: fc.constantFrom('top', 'bottom') }),
);
const waits = fc.oneof(
  condition,
  fc.record({ text: filled, timeMs: whole(0, 10) }),
  fc.record({ all: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
  fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
);

const inside = fc.array(
  fc.constantFrom(
    { kind: 'click', ref: 'e1' },
    { kind: 'type', text: '${a} ]\n' },
    { kind: 'batch', actions: [{ kind: 'none' }] },
  ),
  { minLength: 1, maxLength: 3 },
);

const parts: Readonly<Record<Action['kind'], readonly fc.Arbitrary<object>[]>> = {
  click: [
    pointed,
    some({
      count: whole(1, 3),
      button: fc.constantFrom('left', 'right'),
      modifiers: fc.array(fc.constantFrom('Shift', 'Meta'), { maxLength: 2 }),
      holdMs: whole(0, 5_000),
      force: flag,
    }),
  ],
  hover: [pointed, some({ force: flag })],
  focus: [element],
  highlight: [element],
  scrollIntoView: [element],
  drag: [fc.record({ from: pointed, to: pointed }), some({ steps: whole(1, 100), force: flag })],
  type: [
    fc.oneof(nothing, element),
    fc.record({ text }),
    fc.record({ submit: flag }),
    some({ mode: fc.constantFrom('replace', 'append'), slowly: flag }),
  ],
  press: [fc.oneof(nothing, element), keyOrKeys, some({ repeat: whole(1, 9) })],
  check: [element, fc.record({ checked: flag })],
  select: [
    element,
    fc.record({ values: fc.array(text, { minLength: 1, maxLength: 4 }) }),
    some({ by: fc.constantFrom('auto', 'label') }),
  ],
  fill: [
    fc.record({
      fields: fc.array(
        fc
          .tuple(
            element,
            fc.record({ value: fc.oneof(text, decimal, flag) }),
            some({ type: fc.constantFrom('text', 'checkbox') }),
          )
          .map((pieces): object => Object.assign({}, ...pieces)),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    some({ atomic: flag }),
  ],
  navigate: [fc.record({ url: filled }), some({ newTab: flag, waitUntil: fc.constantFrom('load', 'commit') })],
  history: [fc.record({ go: fc.constantFrom('back', 'forward', 'reload') }), some({ ignoreCache: flag })],
  scroll: [fc.oneof(nothing, pointed), amount],
  wait: [waits],
  evaluate: [
    fc.oneof(nothing, element),
    fc.record({ fn: filled }),
    some({ args: fc.array(json, { maxLength: 3 }), returnMode: fc.constantFrom('json', 'preview') }),
  ],
  extract: [
    element,
    fc.record({ what: fc.constantFrom('text', 'markdown', 'html', 'links', 'table', 'attrs') }),
    some({ maxChars: whole(200, 1_000_000) }),
  ],
  search: [fc.record({ query: filled }), some({ engine: fc.constantFrom('wiki') })],
  pdf: [some({ landscape: flag, background: flag, paper: fc.constantFrom('a4', 'letter') })],
  snapshot: [
    fc.oneof(nothing, element),
    some({
      interactive: flag,
      depth: whole(1, 100),
      view: fc.constantFrom('ai', 'role', 'aria', 'webarena'),
      frame: filled,
      since: whole(0, 99),
      find: filled,
      ignoreProperties: fc.constantFrom([], ['level', 'url']),
      ignoreRoles: fc.constantFrom([], ['img']),
      boxes: flag,
      labels: flag,
    }),
  ],
  screenshot: [
    fc.oneof(element, some({ fullPage: flag })),
    some({ labels: flag, format: fc.constantFrom('png', 'webp'), quality: whole(1, 100) }),
  ],
  tab: [
    fc.oneof(
      fc.record({ do: fc.constantFrom('open', 'focus', 'close', 'list') }),
      fc.record({ do: fc.constant('label'), label }),
    ),
    some({ url: filled, index: whole(0, 1_000) }),
  ],
  dialog: [
    fc.oneof(
      fc.record({ do: fc.constantFrom('answer', 'arm'), accept: flag }),
      fc.record({ do: fc.constant('disarm') }),
    ),
    some({ promptText: text, dialogId: text }),
  ],
  upload: [fc.oneof(nothing, pointed), fc.record({ paths: fc.array(filled, { minLength: 1, maxLength: 3 }) })],
  download: [
    fc.oneof(
      fc.record({ do: fc.constant('wait') }),
      fc.tuple(element, fc.constant({ do: 'click' })).map(([target, deed]): object => ({ ...target, ...deed })),
    ),
    some({ saveAs: filled }),
  ],
  resize: [
    fc.record({ width: whole(1, 8_192), height: whole(1, 8_192) }),
    some({ deviceScaleFactor: whole(1, 4), mobile: flag }),
  ],
  cookies: [
    fc.oneof(
      fc.record({ do: fc.constantFrom('get', 'clear') }),
      fc.record({
        do: fc.constant('set'),
        cookies: fc.array(fc.record({ name: filled, value: text, secure: flag }, { requiredKeys: ['name', 'value'] }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
    ),
    some({ name: filled, domain: filled }),
  ],
  storage: [
    fc.record({ area: fc.constantFrom('local', 'session') }),
    fc.oneof(
      fc.record({ do: fc.constantFrom('get', 'clear') }),
      fc.record({ do: fc.constant('set'), values: fc.dictionary(text, text, { maxKeys: 2 }) }),
    ),
    some({ key: text }),
  ],
  clipboard: [
    fc.oneof(fc.record({ do: fc.constantFrom('get', 'clear') }), fc.record({ do: fc.constant('set'), text })),
  ],
  trace: [
    fc.oneof(
      fc.record({ do: fc.constant('get') }),
      fc.record(
        { do: fc.constant('start'), screenshots: flag, maxMs: fc.integer({ min: 1_000, max: 300_000 }) },
        { requiredKeys: ['do'] },
      ),
      fc.record({ do: fc.constant('stop'), gzip: flag, saveAs: filled }, { requiredKeys: ['do'] }),
    ),
  ],
  emulate: [
    fc.oneof(
      fc.record({ do: fc.constantFrom('get', 'reset') }),
      fc.record({
        do: fc.constant('set'),
        set: some({
          offline: fc.constantFrom(true, null),
          timezone: fc.constant('Asia/Tokyo'),
          headers: fc.constant({ 'x-a': 'b' }),
        }),
      }),
    ),
    some({ scope: fc.constantFrom('tab', 'session') }),
  ],
  batch: [fc.record({ actions: inside }), some({ stopOnError: flag })],
  composite: [
    fc.record({ label: filled, actions: inside }),
    fc.oneof(
      nothing,
      fc.record({
        atomic: fc.constant(true),
        rollback: fc.array(fc.constant({ kind: 'history', go: 'back' }), { minLength: 1, maxLength: 2 }),
      }),
    ),
    some({ variables: fc.dictionary(fc.constantFrom('a', 'user_name'), text, { maxKeys: 2 }) }),
  ],
  remedy: [
    fc.record({ do: fc.constantFrom('stop-script', 'resume', 'restart', 'answer-dialog'), accept: flag }),
    some({ promptText: text }),
  ],
  none: [],
  stop: [some({ answer: text })],
};

/** An action of `kind` with every field it may have present or absent. Each one has passed the schema. */
export function anyActionOf(kind: Action['kind']): fc.Arbitrary<Action> {
  const all = [
    fc.constant({ kind }),
    ...parts[kind],
    fc.oneof(nothing, kind === 'snapshot' ? snapshotEnvelope : envelope),
  ];
  return fc.tuple(...all).map((pieces) => actionSchema.parse(Object.assign({}, ...pieces)));
}

export const KINDS = actionSchema.options.map((option) => option.shape.kind.value);

export const anyAction: fc.Arbitrary<Action> = fc.oneof(...KINDS.map(anyActionOf));
