/**
 * Payloads of older servers and agents, brought to the shape of today before they are validated (AC9; actions.md, "How
 * the older vocabularies map"). Pure: what is not known here is left for the schema to judge. Fields that are given in
 * today's shape win.
 */
export function fromOlder(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const named = withNames(input);
  const { kind } = named;
  if (typeof kind !== 'string') return input;
  const rewrite = Object.hasOwn(REWRITES, kind) ? REWRITES[kind] : undefined;
  return withNode(withRef(rewrite === undefined ? named : rewrite(named)));
}

/** Other names of the fields that every kind has. */
const NAMES: Readonly<Record<string, string>> = { action: 'kind', targetId: 'tab', tab_id: 'tab', goal: 'note' };

function withNames(input: Fields): Fields {
  const older = Object.entries(NAMES).filter(
    ([from, to]) => typeof input[from] === 'string' && input[to] === undefined,
  );
  if (older.length === 0) return input;
  const taken = new Set(older.map(([from]) => from));
  return {
    ...Object.fromEntries(older.map(([from, to]) => [to, input[from]])),
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !taken.has(name))),
  };
}

/** The number of an element in the snapshot; for a tab it is that of a tab. */
function withRef(fields: Fields): Fields {
  if (fields['kind'] === 'tab' || fields['index'] === undefined || fields['ref'] !== undefined) return fields;
  const { index, ...rest } = fields;
  return { ref: index, ...rest };
}

/** A node by the number that accessibility and DOM of CDP give it. */
function withNode(fields: Fields): Fields {
  const { backendDOMNodeId, ...rest } = fields;
  return typeof backendDOMNodeId === 'number' && rest['node'] === undefined
    ? { node: { backendNodeId: backendDOMNodeId }, ...rest }
    : fields;
}

type Fields = Readonly<Record<string, unknown>>;
type Rewrite = (fields: Fields) => Fields;

/** Another name for a kind, with what that name says already. */
const as =
  (kind: string, said: Fields = {}): Rewrite =>
  (fields) => ({ ...said, ...fields, kind });

/** Fields under other names. */
const renamed =
  (names: Readonly<Record<string, string>>, next: Rewrite): Rewrite =>
  (fields) => {
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(names, name)));
    const moved = Object.entries(names).flatMap(([from, to]) =>
      fields[from] === undefined ? [] : [[to, fields[from]] as const],
    );
    return next({ ...Object.fromEntries(moved), ...rest });
  };

/** Two coordinates as one point. */
const point =
  (x: string, y: string, to: string): Rewrite =>
  ({ [x]: left, [y]: top, ...rest }) => ({ [to]: { x: left, y: top }, ...rest });

const inside =
  (field: string): Rewrite =>
  (fields) =>
    Array.isArray(fields[field]) ? { ...fields, [field]: fields[field].map(fromOlder) } : fields;

const drag: Rewrite = ({ startRef, endRef, ...rest }) => ({
  ...(startRef === undefined ? {} : { from: { ref: startRef } }),
  ...(endRef === undefined ? {} : { to: { ref: endRef } }),
  ...rest,
});

const REWRITES: Readonly<Record<string, Rewrite>> = {
  // The HTTP act of older browser servers.
  drag,
  clickCoords: (fields) => as('click')(point('x', 'y', 'at')(fields)),
  dragCoords: (fields) => {
    const { from, to, ...rest } = point('endX', 'endY', 'to')(point('startX', 'startY', 'from')(fields));
    return { ...rest, kind: 'drag', from: { at: from }, to: { at: to } };
  },
  fill: (fields) => (Array.isArray(fields['fields']) ? { ...fields, fields: fields['fields'].map(flatField) } : fields),
  evaluate: renamed({ code: 'fn' }, as('evaluate')),
  download: renamed({ path: 'saveAs' }, (fields) =>
    ['ref', 'role', 'selector'].some((name) => fields[name] !== undefined) ? { do: 'click', ...fields } : fields,
  ),
  'wait/download': renamed({ path: 'saveAs' }, as('download', { do: 'wait' })),
  'hooks/file-chooser': renamed({ inputRef: 'ref' }, as('upload')),
  'hooks/dialog': as('dialog', { do: 'arm' }),
  text: as('extract', { what: 'text' }),
  close: as('tab', { do: 'close' }),
  'tabs/open': as('tab', { do: 'open' }),
  'tabs/new': as('tab', { do: 'open' }),
  'tabs/focus': as('tab', { do: 'focus' }),
  'tabs/close': as('tab', { do: 'close' }),
  'tabs/list': as('tab', { do: 'list' }),
  // Steps written as actions.
  goto: as('navigate'),
  go_back: as('history', { go: 'back' }),
  go_forward: as('history', { go: 'forward' }),
  new_tab: as('tab', { do: 'open' }),
  tab_focus: as('tab', { do: 'focus' }),
  select_option: as('select'),
  None: as('none'),
  // Tools of language models.
  click_element: as('click'),
  input_text: as('type'),
  send_keys: renamed({ keys: 'key' }, as('press')),
  go_to_url: as('navigate'),
  scroll_down: ({ amount, ...rest }) => ({ ...rest, kind: 'scroll', ...scrolled(amount, 1) }),
  scroll_up: ({ amount, ...rest }) => ({ ...rest, kind: 'scroll', ...scrolled(amount, -1) }),
  extract_content: as('extract', { what: 'markdown' }),
  web_search: as('search'),
  open_tab: as('tab', { do: 'open' }),
  switch_tab: renamed({ page_id: 'index' }, as('tab', { do: 'focus' })),
  close_tab: renamed({ page_id: 'index' }, as('tab', { do: 'close' })),
  wait: ({ seconds, ...rest }) => (typeof seconds === 'number' ? { timeMs: seconds * 1_000, ...rest } : rest),
  // Groups hold older actions too.
  batch: inside('actions'),
  composite: (fields) => inside('rollback')(inside('actions')(fields)),
};

/** Pixels where an amount is given, else a page. */
function scrolled(amount: unknown, way: 1 | -1): Fields {
  return typeof amount === 'number' ? { by: { dy: amount * way } } : { pages: way };
}

/** `{target: {…}, value}` as well as `{ref, value}`. */
function flatField(field: unknown): unknown {
  if (!isRecord(field)) return field;
  const { target, ...rest } = field;
  return withNode(isRecord(target) ? { ...target, ...rest } : field);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
