import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTION_KINDS, actionSchema, kindOf } from './kinds';
import { parseAction } from './parse';
import { anyAction, KINDS } from './testing/any-action';

const ref = 'e1';

/** A batch in a batch, `depth` of them. */
const nested = (depth: number): object => ({
  kind: 'batch',
  actions: [depth <= 1 ? { kind: 'none' } : nested(depth - 1)],
});

/** For each kind the smallest and the largest valid action. */
const GOOD: Readonly<Record<string, readonly object[]>> = {
  click: [
    { ref },
    { role: 'button', name: 'Buy', nth: 0 },
    { selector: '#a', nth: 2 },
    { at: { x: 0, y: 0.5 } },
    { ref, count: 3, button: 'right', modifiers: ['Alt', 'ControlOrMeta'], holdMs: 5_000, delayMs: 0, force: true },
    { ref, doubleClick: true },
  ],
  hover: [{ ref }, { at: { x: 1, y: 1 } }],
  focus: [{ ref }, { role: 'textbox' }],
  highlight: [{ ref }, { role: 'button' }],
  scrollIntoView: [{ selector: 'footer' }],
  drag: [
    { from: { ref }, to: { ref: 'e2' } },
    { from: { at: { x: 1, y: 1 } }, to: { role: 'list', name: 'Done' }, steps: 100, force: true },
  ],
  type: [
    { text: '' },
    { ref, text: '第一行\nsecond', mode: 'append', slowly: true, submit: false },
    { text: 'x'.repeat(10_000) },
  ],
  press: [{ key: 'Control+A' }, { keys: ['a', 'b'], repeat: 100, delayMs: 10 }, { ref, key: 'Enter' }],
  check: [{ ref, checked: true }],
  select: [
    { ref, values: ['a'] },
    { ref, values: Array.from({ length: 100 }, String), by: 'index' },
  ],
  fill: [
    { fields: [{ ref, value: 'a' }] },
    { fields: Array.from({ length: 100 }, () => ({ role: 'textbox', name: 'a', value: 1.5 })), atomic: true },
    { fields: [{ selector: '#a', value: false, type: 'checkbox' }] },
  ],
  navigate: [{ url: 'https://example.com' }, { url: 'about:blank', waitUntil: 'networkidle', newTab: true }],
  history: [{ go: 'back' }, { go: 'reload', ignoreCache: true }],
  scroll: [{ pages: -1 }, { ref, by: { dy: 100 } }, { to: 'bottom' }, { at: { x: 1, y: 1 }, by: { dx: -5, dy: 5 } }],
  wait: [
    { text: 'Done' },
    { timeMs: 30_000 },
    { text: 'a', url: '**/b' },
    { all: [{ text: 'a' }, { stable: { quietMs: 500 } }] },
    { any: [{ ref, state: 'hidden' }] },
    { role: 'button', name: 'Pay', nth: 0, state: 'visible' },
    { all: [{ role: 'button' }] },
    { fn: '() => true' },
  ],
  evaluate: [{ fn: '1 + 1' }, { ref, fn: '(node) => node.id', args: [1, null, { a: ['b'] }], returnMode: 'preview' }],
  extract: [{ what: 'text' }, { what: 'attrs', ref }, { what: 'table', selector: 'table', maxChars: 200 }],
  search: [{ query: 'a' }, { query: 'a', engine: 'wiki' }],
  snapshot: [
    {},
    { view: 'role', interactive: true, compact: true, depth: 1, maxChars: 200, urls: true },
    { preset: 'efficient', ref },
  ],
  screenshot: [{}, { fullPage: true, format: 'jpeg', quality: 80 }, { ref }],
  pdf: [{}, { landscape: true, background: false, paper: 'letter' }],
  tab: [
    { do: 'open', url: 'https://example.com', label: 'cart' },
    { do: 'focus', index: 0 },
    { do: 'close' },
    { do: 'label', label: 'Ünï 1_.-' },
    { do: 'list' },
  ],
  dialog: [{ do: 'answer', accept: true, promptText: '' }, { do: 'arm', accept: false }, { do: 'disarm' }],
  upload: [
    { paths: ['a.txt'] },
    { at: { x: 1, y: 1 }, paths: ['a.txt'] },
    { ref, paths: Array.from({ length: 50 }, (_, index) => `${index}.txt`) },
  ],
  download: [{ do: 'wait' }, { do: 'click', ref, saveAs: 'a.txt' }],
  resize: [
    { width: 1, height: 8_192 },
    { width: 400, height: 800, deviceScaleFactor: 2, mobile: true },
  ],
  cookies: [
    { do: 'get' },
    { do: 'get', urls: ['https://example.com'] },
    { do: 'set', cookies: [{ name: 'a', value: '', secure: true, sameSite: 'None', expires: 0 }] },
    { do: 'clear', name: 'a', domain: 'example.com', path: '/' },
  ],
  storage: [
    { area: 'local', do: 'get' },
    { area: 'session', do: 'set', values: { a: '' } },
    { area: 'local', do: 'clear', key: '' },
  ],
  clipboard: [{ do: 'get' }, { do: 'set', text: '' }, { do: 'clear' }],
  emulate: [
    { do: 'get' },
    {
      do: 'set',
      scope: 'session',
      set: {
        offline: null,
        timezone: 'Europe/London',
        locale: 'zh-CN',
        headers: { 'X-A': 'b' },
        throttling: { cpu: 20, network: 'slow-3g' },
      },
    },
    { do: 'reset', scope: 'tab' },
  ],
  trace: [
    { do: 'start' },
    { do: 'start', screenshots: false, maxMs: 300_000 },
    { do: 'stop', gzip: true, saveAs: 'slow.json.gz' },
    { do: 'get' },
  ],
  remedy: [{ do: 'stop-script' }, { do: 'restart' }, { do: 'answer-dialog', accept: true, promptText: '' }],
  batch: [
    { actions: [{ kind: 'none' }] },
    { actions: Array.from({ length: 100 }, () => ({ kind: 'none' })), stopOnError: false },
    { actions: [nested(4)] },
  ],
  composite: [
    { label: 'log in', actions: [{ kind: 'type', text: '${user}' }], variables: { user: 'Ada' } },
    { label: 'a', actions: [{ kind: 'none' }], atomic: true, rollback: [{ kind: 'history', go: 'back' }] },
  ],
  none: [{}],
  stop: [{}, { answer: '' }],
};

/** Invalid fields for each kind, and the field that the error names. */
const BAD: Readonly<Record<string, readonly (readonly [object, string])[]>> = {
  click: [
    [{}, 'ref'],
    [{ ref, count: 4 }, 'count'],
    [{ ref, count: 1.5 }, 'count'],
    [{ ref, button: 'side' }, 'button'],
    [{ ref, modifiers: ['Hyper'] }, 'modifiers.0'],
    [{ ref, delayMs: 5_001 }, 'delayMs'],
    [{ at: { x: 1 } }, 'at.y'],
    [{ at: { x: Number.NaN, y: 0 } }, 'at.x'],
    [{ ref, name: 'Buy' }, 'name'],
    [{ ref, nth: 1 }, 'nth'],
    [{ ref: 'Buy' }, 'ref'],
  ],
  hover: [
    [{}, 'ref'],
    [{ ref, count: 2 }, 'count'],
  ],
  focus: [
    [{}, 'ref'],
    [{ at: { x: 1, y: 1 } }, 'at'],
  ],
  highlight: [
    [{}, 'ref'],
    [{ at: { x: 1, y: 1 } }, 'at'],
  ],
  scrollIntoView: [[{ at: { x: 1, y: 1 } }, 'at']],
  drag: [
    [{ to: { ref } }, 'from'],
    [{ from: { ref }, to: {} }, 'to.ref'],
    [{ from: { ref, selector: '#a' }, to: { ref } }, 'from.selector'],
    [{ from: { ref }, to: { ref }, steps: 101 }, 'steps'],
    [{ from: 'a', to: { ref } }, 'from'],
  ],
  type: [
    [{ ref }, 'text'],
    [{ ref, text: 5 }, 'text'],
    [{ text: 'x'.repeat(10_001) }, 'text'],
    [{ text: 'a', mode: 'insert' }, 'mode'],
    [{ at: { x: 1, y: 1 }, text: 'a' }, 'at'],
  ],
  press: [
    [{}, 'key'],
    [{ key: 'a', keys: ['b'] }, 'key'],
    [{ keys: [] }, 'keys'],
    [{ key: '' }, 'key'],
    [{ key: 'a', repeat: 101 }, 'repeat'],
  ],
  check: [
    [{ ref }, 'checked'],
    [{ checked: true }, 'ref'],
    [{ ref, checked: 'yes' }, 'checked'],
  ],
  select: [
    [{ ref }, 'values'],
    [{ ref, values: [] }, 'values'],
    [{ ref, values: Array.from({ length: 101 }, String) }, 'values'],
    [{ ref, values: [1] }, 'values.0'],
  ],
  fill: [
    [{}, 'fields'],
    [{ fields: [] }, 'fields'],
    [{ fields: [{ ref }] }, 'fields.0.value'],
    [{ fields: [{ value: 'a' }] }, 'fields.0.ref'],
    [{ fields: Array.from({ length: 101 }, () => ({ ref, value: 'a' })) }, 'fields'],
    [{ fields: [{ at: { x: 1, y: 1 }, value: 'a' }] }, 'fields.0.at'],
  ],
  navigate: [
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'x'.repeat(2_049) }, 'url'],
    [{ url: 'a', waitUntil: 'soon' }, 'waitUntil'],
  ],
  history: [
    [{}, 'go'],
    [{ go: 'home' }, 'go'],
  ],
  scroll: [
    [{}, 'by'],
    [{ pages: 1, to: 'top' }, 'by'],
    [{ pages: Number.POSITIVE_INFINITY }, 'pages'],
    [{ by: { dz: 1 } }, 'by.dz'],
    [{ to: 'left' }, 'to'],
  ],
  wait: [
    [{}, 'all'],
    [{ state: 'visible' }, 'all'],
    [{ text: 'a', name: 'b' }, 'name'],
    [{ text: 'a', all: [{ text: 'b' }] }, 'all'],
    [{ all: [] }, 'all'],
    [{ all: [{}] }, 'all.0'],
    [{ any: [{ text: 'a', url: 'b' }] }, 'any.0'],
    [{ timeMs: 30_001 }, 'timeMs'],
    [{ all: Array.from({ length: 11 }, () => ({ text: 'a' })) }, 'all'],
  ],
  evaluate: [
    [{}, 'fn'],
    [{ fn: '' }, 'fn'],
    [{ fn: 'x'.repeat(100_001) }, 'fn'],
    [{ fn: '1', args: Array.from({ length: 21 }, () => 1) }, 'args'],
    [{ fn: '1', args: [() => 1] }, 'args.0'],
  ],
  extract: [
    [{}, 'what'],
    [{ what: 'all' }, 'what'],
    [{ what: 'attrs' }, 'ref'],
    [{ what: 'text', maxChars: 199 }, 'maxChars'],
    [{ what: 'text', at: { x: 1, y: 1 } }, 'at'],
  ],
  search: [
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: 'x'.repeat(1_001) }, 'query'],
  ],
  snapshot: [
    [{ view: 'pretty' }, 'view'],
    [{ depth: 0 }, 'depth'],
    [{ maxChars: 199 }, 'maxChars'],
    [{ snapshot: 'full' }, 'snapshot'],
  ],
  screenshot: [
    [{ ref, fullPage: true }, 'fullPage'],
    [{ format: 'gif' }, 'format'],
    [{ quality: 0 }, 'quality'],
  ],
  pdf: [
    [{ paper: 'a9' }, 'paper'],
    [{ landscape: 'yes' }, 'landscape'],
  ],
  tab: [
    [{}, 'do'],
    [{ do: 'move' }, 'do'],
    [{ do: 'label' }, 'label'],
    [{ do: 'label', label: '<b>' }, 'label'],
    [{ do: 'focus', index: -1 }, 'index'],
  ],
  dialog: [
    [{}, 'do'],
    [{ do: 'answer' }, 'accept'],
    [{ do: 'arm' }, 'accept'],
  ],
  upload: [
    [{}, 'paths'],
    [{ paths: [] }, 'paths'],
    [{ paths: Array.from({ length: 51 }, String) }, 'paths'],
    [{ paths: [''] }, 'paths.0'],
    [{ at: { x: 1, y: 1 }, ref, paths: ['a'] }, 'at'],
  ],
  download: [
    [{}, 'do'],
    [{ do: 'click' }, 'ref'],
    [{ do: 'wait', ref }, 'ref'],
    [{ do: 'wait', saveAs: '' }, 'saveAs'],
  ],
  resize: [
    [{ width: 1 }, 'height'],
    [{ width: 0, height: 1 }, 'width'],
    [{ width: 1, height: 8_193 }, 'height'],
    [{ width: 1, height: 1, deviceScaleFactor: 5 }, 'deviceScaleFactor'],
  ],
  cookies: [
    [{}, 'do'],
    [{ do: 'set' }, 'cookies'],
    [{ do: 'get', cookies: [{ name: 'a', value: 'b' }] }, 'cookies'],
    [{ do: 'set', cookies: [{ name: '', value: 'b' }] }, 'cookies.0.name'],
    [{ do: 'set', cookies: [] }, 'cookies'],
  ],
  storage: [
    [{ do: 'get' }, 'area'],
    [{ area: 'local', do: 'set' }, 'values'],
    [{ area: 'indexed', do: 'get' }, 'area'],
    [{ area: 'local', do: 'set', values: { a: 1 } }, 'values.a'],
  ],
  clipboard: [
    [{}, 'do'],
    [{ do: 'set' }, 'text'],
    [{ do: 'get', text: 'a' }, 'text'],
    [{ do: 'paste' }, 'do'],
  ],
  emulate: [
    [{}, 'do'],
    [{ do: 'set' }, 'set'],
    [{ do: 'reset', set: {} }, 'set'],
    [{ do: 'set', set: { timezone: 'Nowhere' } }, 'set.timezone'],
    [{ do: 'set', set: { geolocation: { latitude: 91, longitude: 0 } } }, 'set.geolocation.latitude'],
    [{ do: 'get', scope: 'world' }, 'scope'],
  ],
  trace: [
    [{}, 'do'],
    [{ do: 'start', maxMs: 999 }, 'maxMs'],
    [{ do: 'start', maxMs: 300_001 }, 'maxMs'],
    [{ do: 'stop', screenshots: true }, 'do'],
    [{ do: 'start', gzip: true }, 'do'],
    [{ do: 'stop', saveAs: '' }, 'saveAs'],
  ],
  remedy: [
    [{}, 'do'],
    [{ do: 'pray' }, 'do'],
    [{ do: 'answer-dialog' }, 'accept'],
  ],
  batch: [
    [{}, 'actions'],
    [{ actions: [] }, 'actions'],
    [{ actions: [{ kind: 'fly' }] }, 'actions.0.kind'],
    [{ actions: [{ kind: 'click' }] }, 'actions.0.ref'],
    [{ actions: [nested(5)] }, 'actions'],
    [{ actions: [{ kind: 'batch', actions: Array.from({ length: 100 }, () => ({ kind: 'none' })) }] }, 'actions'],
  ],
  composite: [
    [{ actions: [{ kind: 'none' }] }, 'label'],
    [{ label: 'a', actions: [{ kind: 'none' }], atomic: true }, 'rollback'],
    [{ label: 'a', actions: [{ kind: 'none' }], rollback: [{ kind: 'none' }] }, 'rollback'],
    [
      {
        label: 'a',
        actions: [{ kind: 'none' }],
        atomic: true,
        rollback: [{ kind: 'batch', actions: [{ kind: 'wait', fn: '1' }] }],
      },
      'rollback',
    ],
    [{ label: 'a', actions: [{ kind: 'none' }], variables: { 'a b': 'x' } }, 'variables.a b'],
  ],
  none: [[{ ref }, 'ref']],
  stop: [[{ answer: 42 }, 'answer']],
};

const goodCases = Object.entries(GOOD).flatMap(([kind, all]) => all.map((fields) => ({ kind, fields })));
const badCases = Object.entries(BAD).flatMap(([kind, all]) => all.map(([fields, field]) => ({ kind, fields, field })));

describe('the kinds of action', () => {
  it('[AC1] have a description, and cases in this file', () => {
    expect(KINDS.toSorted()).toEqual(ACTION_KINDS);
    expect([Object.keys(GOOD).toSorted(), Object.keys(BAD).toSorted()]).toEqual([ACTION_KINDS, ACTION_KINDS]);
    for (const kind of ACTION_KINDS) expect(kindOf({ kind }).about).toMatch(/^[A-Z].*\.$/);
  });

  it.each(goodCases)('[AC1] $kind takes $fields', ({ kind, fields }) => {
    expect(parseAction({ kind, ...fields })).toEqual({ kind, ...fields });
  });

  it.each(badCases)('[AC8] $kind refuses $fields, naming $field', ({ kind, fields, field }) => {
    expect(() => parseAction({ kind, ...fields })).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        details: { fields: expect.arrayContaining([expect.objectContaining({ field })]) },
      }),
    );
  });

  it.each(goodCases)(
    '[AC1] $kind accepts the envelope and refuses any unknown field beside $fields',
    ({ kind, fields }) => {
      const envelope = {
        id: 'a1',
        epoch: 3,
        tab: 't1',
        timeoutMs: 50,
        note: 'why',
        ...(kind === 'snapshot' ? {} : { snapshot: 'full' }),
      };
      expect(parseAction({ kind, ...fields, ...envelope })).toMatchObject(envelope);
      expect(() => parseAction({ kind, ...fields, colour: 'red' })).toThrow('"colour" is not a field of this');
    },
  );

  it.each(goodCases.filter(({ fields }) => 'ref' in fields))(
    '[AC2] $kind takes one target only beside $fields',
    ({ kind, fields }) => {
      for (const second of [{ role: 'button' }, { selector: '#a' }])
        expect(() => parseAction({ kind, ...fields, ...second })).toThrow(/second target|exactly one of/);
    },
  );

  it('[AC9] payloads of the older shape keep working', () => {
    expect(parseAction({ kind: 'click', ref: '12', doubleClick: true })).toEqual({
      kind: 'click',
      ref: 'e12',
      doubleClick: true,
    });
    expect(parseAction({ kind: 'evaluate', fn: '() => 1', ref: 'e3', timeoutMs: 5_000 })).toEqual({
      kind: 'evaluate',
      fn: '() => 1',
      ref: 'e3',
      timeoutMs: 5_000,
    });
    expect(parseAction({ kind: 'wait', text: 'Done', timeMs: 100 })).toEqual({
      kind: 'wait',
      text: 'Done',
      timeMs: 100,
    });
  });

  it('[AC1] an accepted action is accepted again unchanged', () => {
    fc.assert(
      fc.property(anyAction, (action) => {
        expect(actionSchema.parse(JSON.parse(JSON.stringify(action)))).toEqual(action);
      }),
      { numRuns: 500 },
    );
  });
});
