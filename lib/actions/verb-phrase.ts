import { z } from 'zod';
import { cleanText } from '@/lib/text/clean';
import { byKind, type ByKind } from './by-kind';
import { namedTarget } from './describe';
import type { Action, ActionKind } from './kinds';

/** What was done, one word each: the kind of an action, or one of its ways that reads differently. */
export const ACTION_VERBS = [
  'click',
  'doubleClick',
  'hover',
  'focus',
  'type',
  'press',
  'check',
  'uncheck',
  'select',
  'highlight',
  'drag',
  'fill',
  'extract',
  'search',
  'pdf',
  'upload',
  'download',
  'batch',
  'composite',
  'navigate',
  'newTab',
  'back',
  'forward',
  'reload',
  'scroll',
  'scrollIntoView',
  'wait',
  'evaluate',
  'snapshot',
  'screenshot',
  'resize',
  'tabOpen',
  'tabClose',
  'tabFocus',
  'tabLabel',
  'tabList',
  'dialogAccept',
  'dialogDismiss',
  'dialogArm',
  'dialogDisarm',
  'stopScript',
  'resume',
  'stopLoading',
  'blankPage',
  'restart',
  'reopen',
  'none',
  'stop',
  'cookiesGet',
  'cookiesSet',
  'cookiesClear',
  'storageGet',
  'storageSet',
  'storageClear',
  'clipboardGet',
  'clipboardSet',
  'clipboardClear',
  'emulateGet',
  'emulateSet',
  'emulateReset',
  'traceStart',
  'traceStop',
  'traceGet',
] as const;
export type ActionVerb = (typeof ACTION_VERBS)[number];

/** Characters of a value that a row shows. */
const MOST = 120;
const MOST_NOTE = 200;
const shown = z.string().max(MOST * 2);

/** An action as data for one line in the reader's language; `describeAction` says the same in English. */
export const verbPhraseSchema = z.object({
  word: z.enum(ACTION_VERBS),
  /** What was typed, pressed, chosen, waited for or answered; left out when the server keeps it hidden (SN6). */
  value: shown.optional(),
  /** What the caller named, by ref, role or selector: all that is known of an element that was not found. */
  target: shown.optional(),
  /** The address that was opened. */
  url: shown.optional(),
  /** Why, in the agent's own words. */
  note: z
    .string()
    .max(MOST_NOTE * 2)
    .optional(),
});
export type VerbPhrase = z.infer<typeof verbPhraseSchema>;

/**
 * @param secret what is typed or chosen, and single characters that are pressed, must not be shown (SN6)
 * @param unfound no element is known: what the caller named stands for it
 */
export function verbPhraseOf(action: Action, secret = false, unfound = false): VerbPhrase {
  const value = cleanText(valueOf(action, secret) ?? '', MOST);
  const url = cleanText(('url' in action && action.kind !== 'wait' ? action.url : undefined) ?? '', MOST);
  const target = unfound ? cleanText(namedTarget(action), MOST) : '';
  const note = cleanText(action.note ?? '', MOST_NOTE);
  return {
    word: byKind(WORDS, action),
    ...(value !== '' && { value }),
    ...(target !== '' && { target }),
    ...(url !== '' && { url }),
    ...(note !== '' && { note }),
  };
}

const same = ({ kind }: { readonly kind: Extract<ActionVerb, ActionKind> }): ActionVerb => kind;

const COOKIE_WORDS = { get: 'cookiesGet', set: 'cookiesSet', clear: 'cookiesClear' } as const;
const STORAGE_WORDS = { get: 'storageGet', set: 'storageSet', clear: 'storageClear' } as const;
const CLIPBOARD_WORDS = { get: 'clipboardGet', set: 'clipboardSet', clear: 'clipboardClear' } as const;
const EMULATE_WORDS = { get: 'emulateGet', set: 'emulateSet', reset: 'emulateReset' } as const;
const TRACE_WORDS = { start: 'traceStart', stop: 'traceStop', get: 'traceGet' } as const;
const TAB_WORDS = {
  open: 'tabOpen',
  close: 'tabClose',
  focus: 'tabFocus',
  label: 'tabLabel',
  list: 'tabList',
} as const;

const REMEDY_WORDS = {
  'stop-script': 'stopScript',
  resume: 'resume',
  'stop-loading': 'stopLoading',
  reload: 'reload',
  blank: 'blankPage',
  restart: 'restart',
  reopen: 'reopen',
} as const;

/** The word of each kind; where a kind reads in different ways, of what it does. */
const WORDS: ByKind<[], ActionVerb> = {
  click: ({ count, doubleClick }) => (count === 2 || doubleClick === true ? 'doubleClick' : 'click'),
  hover: same,
  focus: same,
  highlight: same,
  scrollIntoView: same,
  drag: same,
  type: same,
  press: same,
  check: ({ checked }) => (checked ? 'check' : 'uncheck'),
  select: same,
  fill: same,
  navigate: ({ newTab }) => (newTab === true ? 'newTab' : 'navigate'),
  history: ({ go }) => go,
  scroll: same,
  wait: same,
  evaluate: same,
  extract: same,
  search: same,
  pdf: same,
  snapshot: same,
  screenshot: same,
  tab: ({ do: deed, url }) => (deed === 'open' && url !== undefined ? 'newTab' : TAB_WORDS[deed]),
  dialog: ({ do: deed, accept }) =>
    deed === 'answer'
      ? accept === true
        ? 'dialogAccept'
        : 'dialogDismiss'
      : deed === 'arm'
        ? 'dialogArm'
        : 'dialogDisarm',
  cookies: ({ do: deed }) => COOKIE_WORDS[deed],
  storage: ({ do: deed }) => STORAGE_WORDS[deed],
  clipboard: ({ do: deed }) => CLIPBOARD_WORDS[deed],
  emulate: ({ do: deed }) => EMULATE_WORDS[deed],
  trace: ({ do: deed }) => TRACE_WORDS[deed],
  upload: same,
  download: same,
  resize: same,
  batch: same,
  composite: same,
  remedy: ({ do: deed, accept }) =>
    deed === 'answer-dialog' ? (accept === true ? 'dialogAccept' : 'dialogDismiss') : REMEDY_WORDS[deed],
  none: same,
  stop: same,
};

function valueOf(action: Action, secret: boolean): string | undefined {
  switch (action.kind) {
    case 'type':
      return secret ? undefined : action.text;
    case 'press':
      return (action.keys ?? [action.key ?? '']).map((key) => (secret && [...key].length === 1 ? '•' : key)).join(', ');
    case 'select':
      return secret ? undefined : action.values.slice(0, 5).join(', ');
    case 'wait':
      return action.text ?? action.textGone ?? action.url;
    case 'composite':
    case 'tab':
      return action.label;
    case 'resize':
      return `${action.width} × ${action.height}`;
    case 'search':
      return action.query;
    case 'upload':
      return action.paths.slice(0, 5).join(', ');
    case 'stop':
      return action.answer;
    default:
      return undefined;
  }
}
