import { CONDITION_KEYS, type ActionKind } from '@/lib/actions/kinds';
import type { ArgReader } from './arg-reader';

/**
 * One verb of the step language: the form it is written in, the action it makes, and how its arguments become fields.
 */
export interface Verb {
  readonly usage: string;
  readonly kind: ActionKind;
  read(args: ArgReader): void;
}

const onElement = (args: ArgReader): void => args.target();
const maybeOnElement = (args: ArgReader): void => {
  if (args.left > 0) args.target();
};
const nothing = (): void => undefined;

/** Spelling -> verb (ST1). Named arguments, `timeoutMs=5000`, are the action's own fields and go with every verb. */
export const VERBS = {
  click: { usage: 'click [12]', kind: 'click', read: onElement },
  hover: { usage: 'hover [12]', kind: 'hover', read: onElement },
  focus: { usage: 'focus [12]', kind: 'focus', read: onElement },
  highlight: { usage: 'highlight [12]', kind: 'highlight', read: onElement },
  scroll_to: { usage: 'scroll_to [12]', kind: 'scrollIntoView', read: onElement },
  drag: { usage: 'drag [12] [34]', kind: 'drag', read: readDrag },
  type: {
    usage: 'type [12] [text] [0|1], where a last 0 leaves Enter out; append=true keeps what is there',
    kind: 'type',
    read: readType,
  },
  press: { usage: 'press [Control+A]', kind: 'press', read: readPress },
  check: { usage: 'check [12]', kind: 'check', read: (args) => readCheck(args, true) },
  uncheck: { usage: 'uncheck [12]', kind: 'check', read: (args) => readCheck(args, false) },
  select: { usage: 'select [12] [option] [another option]', kind: 'select', read: readSelect },
  fill: {
    usage: 'fill [12] [text] [34] [text], or fill fields=[{"ref":"e12","value":"text"}]',
    kind: 'fill',
    read: readFill,
  },
  goto: { usage: 'goto [https://example.com]', kind: 'navigate', read: (args) => args.text('url', 'the address') },
  go_back: { usage: 'go_back', kind: 'history', read: (args) => args.set('go', 'back') },
  go_forward: { usage: 'go_forward', kind: 'history', read: (args) => args.set('go', 'forward') },
  reload: { usage: 'reload', kind: 'history', read: (args) => args.set('go', 'reload') },
  scroll: { usage: 'scroll [up|down|top|bottom]', kind: 'scroll', read: readScroll },
  wait: { usage: 'wait [text to appear] or wait [milliseconds]', kind: 'wait', read: readWait },
  evaluate: { usage: 'evaluate [code]', kind: 'evaluate', read: (args) => args.text('fn', 'the code') },
  extract: {
    usage: 'extract [text|markdown|html|links|table|attrs], or extract [text] [12] for one element',
    kind: 'extract',
    read: readExtract,
  },
  search: {
    usage: 'search [what to look for]',
    kind: 'search',
    read: (args) => args.text('query', 'what to search for'),
  },
  pdf: { usage: 'pdf', kind: 'pdf', read: nothing },
  snapshot: { usage: 'snapshot', kind: 'snapshot', read: maybeOnElement },
  screenshot: { usage: 'screenshot, or screenshot [12] for one element', kind: 'screenshot', read: maybeOnElement },
  new_tab: { usage: 'new_tab, or new_tab [https://example.com]', kind: 'tab', read: readNewTab },
  tab_focus: {
    usage: 'tab_focus [0], where 0 is the first tab; or tab_focus [t2], by id or label',
    kind: 'tab',
    read: (args) => readWhichTab(args, 'focus'),
  },
  close_tab: {
    usage: 'close_tab, or close_tab [0], where 0 is the first tab',
    kind: 'tab',
    read: (args) => readWhichTab(args, 'close'),
  },
  label_tab: { usage: 'label_tab [name]', kind: 'tab', read: readLabelTab },
  list_tabs: { usage: 'list_tabs', kind: 'tab', read: (args) => args.set('do', 'list') },
  dialog: { usage: 'dialog [accept|dismiss] [text for a prompt]', kind: 'dialog', read: readDialog },
  upload: {
    usage: 'upload [12] [file.txt] [another.txt], or upload paths=["file.txt"] for the file chooser',
    kind: 'upload',
    read: readUpload,
  },
  download: { usage: 'download [12]', kind: 'download', read: readDownload },
  wait_download: { usage: 'wait_download', kind: 'download', read: (args) => args.set('do', 'wait') },
  resize: { usage: 'resize [1280] [800]', kind: 'resize', read: readResize },
  cookies: {
    usage: 'cookies [get|set|clear] with its fields, cookies=[{"name":"a","value":"b"}]',
    kind: 'cookies',
    read: readDo,
  },
  storage: { usage: 'storage [get|set|clear] area=local', kind: 'storage', read: readDo },
  clipboard: { usage: 'clipboard [get|set|clear] [text for set]', kind: 'clipboard', read: readClipboard },
  emulate: { usage: 'emulate [get|set|reset] set={"timezone":"Asia/Tokyo"}', kind: 'emulate', read: readDo },
  trace: {
    usage: 'trace [start|stop|get], with maxMs=30000 screenshots=false for start, gzip=true for stop',
    kind: 'trace',
    read: readDo,
  },
  batch: { usage: 'batch actions=[{"kind":"click","ref":"e12"}]', kind: 'batch', read: nothing },
  composite: {
    usage: 'composite [name] actions=[{"kind":"click","ref":"e12"}]',
    kind: 'composite',
    read: (args) => args.text('label', 'the name'),
  },
  remedy: {
    usage: 'remedy [stop-script|resume|stop-loading|reload|blank|restart|reopen]',
    kind: 'remedy',
    read: (args) => args.text('do', 'the remedy'),
  },
  stop: { usage: 'stop [answer]', kind: 'stop', read: readStop },
  none: { usage: 'None', kind: 'none', read: nothing },
} as const satisfies Record<string, Verb>;

export type VerbName = keyof typeof VERBS;
export const VERB_NAMES: readonly string[] = Object.keys(VERBS);

/** Other spellings that agents have learned elsewhere, and the names of kinds. */
const ALIASES: Readonly<Record<string, VerbName>> = {
  navigate: 'goto',
  back: 'go_back',
  forward: 'go_forward',
  scrollintoview: 'scroll_to',
  select_option: 'select',
  page_focus: 'tab_focus',
  page_close: 'close_tab',
};

function isVerbName(text: string): text is VerbName {
  return Object.hasOwn(VERBS, text);
}

/** Finds a verb by what was written, in any case. */
export function verbNamed(written: string): VerbName | undefined {
  const name = written.toLowerCase();
  return isVerbName(name) ? name : Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
}

function readDrag(args: ArgReader): void {
  args.targetIn('from', 'the number of what is dragged');
  args.targetIn('to', 'the number of where it goes');
}

/**
 * Two arguments press Enter, a third of exactly 0 or 1 decides it (ST3). An element named by a field counts as the
 * first.
 */
function readType(args: ArgReader): void {
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
  if (text !== '0' && text !== '1')
    throw args.mistake(at, 'the third argument can only be 0 or 1; write a ] inside the text as \\]');
  args.set('submit', text === '1', at);
}

const META = /(?<=^|\+)(\s*)(?:Meta|Cmd|Command)(?=\s*(?:\+|$))/gi;
const CONTROL = /(?:^|\+)\s*(?:Control|Ctrl|Ctl)\s*(?:\+|$)/i;

/**
 * Agents mean the platform's own shortcut key by Meta, first, later or alone: Control off macOS (ST3). Beside Control
 * it can only be itself, and `key="Meta+A"` keeps it to the letter.
 */
export function platformChord(text: string): string {
  return CONTROL.test(text) ? text : text.replace(META, '$1ControlOrMeta');
}

function readPress(args: ArgReader): void {
  if (args.isNamed('key', 'keys')) return;
  const { text, at } = args.next('the key');
  args.set('key', platformChord(text), at);
}

function readCheck(args: ArgReader, checked: boolean): void {
  args.target();
  args.set('checked', checked);
}

function readSelect(args: ArgReader): void {
  args.target();
  args.rest('values', 'the option');
}

/** Pairs of an element and its text; the other kinds of value go by `fields=`. */
function readFill(args: ArgReader): void {
  if (args.isNamed('fields')) return;
  const fields: { ref: string; value: string }[] = [];
  do {
    const { ref } = args.ref('the number of a field');
    fields.push({ ref, value: args.next('the text for the field').text });
  } while (args.left > 0);
  args.set('fields', fields);
}

function readExtract(args: ArgReader): void {
  args.text('what', 'what to read');
  if (args.left > 0) args.target();
}

function readUpload(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('paths')) return;
  args.target();
  args.rest('paths', 'the name of a file');
}

function readDownload(args: ArgReader): void {
  args.set('do', 'click');
  args.target();
}

const WAYS: ReadonlyMap<string, { readonly field: string; readonly value: unknown }> = new Map([
  ['up', { field: 'pages', value: -1 }],
  ['down', { field: 'pages', value: 1 }],
  ['top', { field: 'to', value: 'top' }],
  ['bottom', { field: 'to', value: 'bottom' }],
]);

/** `scroll [down]`, `scroll [direction=down]`, `scroll [12] [down]`. */
function readScroll(args: ArgReader): void {
  const byName = args.takeNamed('direction');
  const amountIsNamed = byName !== undefined || args.isNamed('pages', 'by', 'to');
  if (args.left > (amountIsNamed ? 0 : 1)) args.target();
  if (byName !== undefined) setWay(args, String(byName.value), byName.at);
  else if (!amountIsNamed) {
    const { text, at } = args.next('the direction');
    setWay(args, text, at);
  }
}

function setWay(args: ArgReader, text: string, at: number): void {
  const way = WAYS.get(
    text
      .trim()
      .toLowerCase()
      .replace(/^direction\s*=\s*/, ''),
  );
  if (way === undefined) throw args.mistake(at, 'the direction is up, down, top or bottom');
  args.set(way.field, way.value, at);
}

function readWait(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('all', 'any', ...CONDITION_KEYS)) return;
  const { text, at } = args.next('what to wait for');
  if (/^\d+$/.test(text)) args.set('timeMs', Number(text), at);
  else args.set('text', text, at);
}

function readNewTab(args: ArgReader): void {
  args.set('do', 'open');
  if (args.left > 0) args.text('url', 'the address');
}

function readWhichTab(args: ArgReader, deed: 'focus' | 'close'): void {
  args.set('do', deed);
  if (args.left === 0) return;
  const { text, at } = args.next('the tab');
  if (/^\d+$/.test(text)) args.set('index', Number(text), at);
  else args.set('tab', text, at);
}

function readLabelTab(args: ArgReader): void {
  args.set('do', 'label');
  args.text('label', 'the label');
}

/** `dialog [accept]` answers the open one; `do=arm` keeps the answer for the next. */
function readDialog(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('do')) return;
  const { text, at } = args.next('accept or dismiss');
  const word = text.trim().toLowerCase();
  if (word !== 'accept' && word !== 'dismiss') throw args.mistake(at, 'a dialog is answered with accept or dismiss');
  if (!args.isNamed('do')) args.set('do', 'answer');
  args.set('accept', word === 'accept', at);
  if (args.left > 0) args.text('promptText', 'the text for the prompt');
}

function readResize(args: ArgReader): void {
  readSize(args, 'width');
  readSize(args, 'height');
}

function readSize(args: ArgReader, field: 'width' | 'height'): void {
  if (args.isNamed(field)) return;
  const { text, at } = args.next(`the ${field}`);
  if (!/^\d{1,6}$/.test(text)) throw args.mistake(at, `the ${field} is a number of pixels`);
  args.set(field, Number(text), at);
}

/** What to do, as the first argument. */
function readDo(args: ArgReader): void {
  if (!args.isNamed('do')) args.text('do', 'what to do');
}

function readClipboard(args: ArgReader): void {
  readDo(args);
  if (args.left > 0) args.text('text', 'the text');
}

function readStop(args: ArgReader): void {
  if (args.left > 0) args.text('answer', 'the answer');
}
