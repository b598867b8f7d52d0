import { expect, it } from 'vitest';
import { ACTION_KINDS, actionSchema, kindOf, type ActionKind } from '@/lib/actions/kinds';
import { parseAction } from '@/lib/actions/parse';
import { envelopeFields, targetFields } from '@/lib/actions/shared';
import { beyondGuests } from './guest-actions';

const CLOSED: readonly ActionKind[] = [
  ...(['cookies', 'emulate', 'evaluate', 'extract', 'pdf', 'remedy', 'resize', 'screenshot'] as const),
  ...(['search', 'storage', 'trace'] as const),
];
const beyond = (action: object, oneTab = false): string | undefined => beyondGuests(parseAction(action), oneTab);

it('[AU4] every kind of action is open or closed to guests as written here', () => {
  const closed = ACTION_KINDS.filter(
    (kind) => beyondGuests(parseAction(kindOf({ kind }).example), false) !== undefined,
  );
  expect(closed).toEqual(CLOSED);
});

/** The fields of each open kind beside those that every action and every target has. */
const FIELDS: Readonly<Record<string, string>> = {
  batch: 'actions stopOnError',
  check: 'checked force',
  click: 'button count delayMs doubleClick force holdMs modifiers',
  clipboard: 'do text',
  composite: 'actions atomic label rollback variables',
  dialog: 'accept dialogId do promptText',
  download: 'do saveAs',
  drag: 'force from steps to',
  fill: 'atomic fields',
  focus: '',
  highlight: '',
  history: 'go ignoreCache',
  hover: 'force',
  navigate: 'newTab url waitUntil',
  none: '',
  press: 'delayMs key keys repeat',
  scroll: 'by pages to',
  scrollIntoView: '',
  select: 'by values',
  snapshot:
    'boxes compact depth find findRegex ignoreProperties ignoreRoles interactive labels maxChars preset since urls view',
  stop: 'answer',
  tab: 'do index label url',
  type: 'force mode slowly submit text',
  upload: 'paths',
  wait: 'all any fn loadState response stable state text textGone timeMs url',
};

it('[AU4] every field of the open kinds was judged: judge a new one in `beyondGuests`, and note it here', () => {
  const shared = new Set([...Object.keys(envelopeFields), ...Object.keys(targetFields), 'kind']);
  const fields = actionSchema.options.flatMap(({ shape }) =>
    [...shape.kind.values]
      .filter((kind) => !CLOSED.includes(kind))
      .map((kind) => [
        kind,
        Object.keys(shape)
          .filter((name) => !shared.has(name))
          .toSorted()
          .join(' '),
      ]),
  );
  expect(Object.fromEntries(fields)).toEqual(FIELDS);
});

it('[AU4][SN6] guests get no picture by the labels of a snapshot, and hear nothing of the network', () => {
  const response = { url: '**/pay*' };
  const asked = [
    { kind: 'snapshot', labels: true },
    { kind: 'batch', actions: [{ kind: 'snapshot', labels: true }] },
    { kind: 'wait', response },
    { kind: 'wait', any: [{ text: 'Paid' }, { response }] },
  ];
  const [picture, network] = ['take pictures of the page', 'watch the network'];
  expect(asked.map((one) => beyond(one))).toEqual([picture, picture, network, network]);
  expect(beyond({ kind: 'snapshot', labels: false })).toBeUndefined();
});

it('[AU4][SN6] no selector of a guest asks what fields hold, wherever it stands', () => {
  const selector = 'input[type=password][value^="a"]';
  const asked = [
    { kind: 'wait', selector, state: 'attached' },
    { kind: 'wait', all: [{ text: 'Paid' }, { selector }] },
    { kind: 'snapshot', selector },
    { kind: 'snapshot', frame: 'iframe:has(option:checked)' },
    { kind: 'none', expect: { target: { selector } } },
    { kind: 'drag', from: { ref: 'e1' }, to: { selector } },
    { kind: 'batch', actions: [{ kind: 'click', selector: String.raw`[\76 alue="a"]` }] },
  ];
  expect(asked.map((one) => beyond(one))).toEqual(asked.map(() => 'find elements by what fields hold'));
  expect(beyond({ kind: 'wait', selector: 'input[name="card"]', state: 'attached' })).toBeUndefined();
});

it('[AU4] guests run no script, and nothing closed inside of a group', () => {
  expect(beyond({ kind: 'wait', fn: '() => true' })).toBe('run scripts');
  const inner = { kind: 'batch', actions: [{ kind: 'none' }, { kind: 'screenshot' }] };
  expect(beyond({ kind: 'batch', actions: [inner] })).toBe('do "screenshot"');
  expect(
    beyond({
      kind: 'composite',
      label: 'x',
      atomic: true,
      actions: [{ kind: 'none' }],
      rollback: [{ kind: 'cookies', do: 'clear' }],
    }),
  ).toBe('do "cookies"');
});

it('[AU4] who sees one tab opens, lists and closes none', () => {
  const url = 'https://example.com/';
  const tabs = [
    { kind: 'tab', do: 'open' },
    { kind: 'tab', do: 'close' },
    { kind: 'tab', do: 'list' },
    { kind: 'tab', do: 'focus', index: 1 },
    { kind: 'tab', do: 'label', index: 1, label: 'Mine' },
    { kind: 'navigate', url, newTab: true },
  ];
  expect(tabs.map((one) => beyond(one))).toEqual(tabs.map(() => undefined));
  expect(tabs.map((one) => beyond(one, true))).toEqual(tabs.map(() => 'open, list and close tabs'));
  expect(beyond({ kind: 'navigate', url }, true)).toBeUndefined();
});
