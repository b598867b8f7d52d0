import { cleanText } from '@/lib/text/clean';
import { byKind, type ByKind } from './by-kind';
import type { Action, ActionOf, WaitCondition } from './kinds';
import { targetOf, type TargetFields } from './shared';

export interface ElementName {
  readonly role: string;
  readonly name: string;
}

/** Characters of page or agent text that one timeline line may hold. */
const MOST = 120;

/** What the sentence is made with: the element it is about, and whether its text must stay hidden. */
interface Said {
  /** The element, or where there is none: the point, the selector, nothing. */
  readonly on: string;
  readonly element: ElementName | undefined;
  readonly secret: boolean;
}

/** One line for people: `click button "Sign in"`. Typed text is left out when `secret` (SN6). */
export function describeAction(action: Action, element?: ElementName, secret = false): string {
  const on = element ? `${cleanText(element.role, MOST)} ${quote(element.name)}` : describeTarget(ownTarget(action));
  return byKind(SENTENCES, action, { on, element, secret }).trim();
}

const plain = ({ kind }: Action, { on }: Said): string => `${kind} ${on}`;

const SENTENCES: ByKind<[Said], string> = {
  click: ({ count, doubleClick }, { on }) => `${count === 2 || doubleClick === true ? 'double-click' : 'click'} ${on}`,
  hover: plain,
  focus: plain,
  highlight: plain,
  scrollIntoView: (_, { on }) => `scroll to ${on}`,
  drag: ({ from, to }, { on, element }) =>
    `drag ${element === undefined ? describeTarget(from) : on} to ${describeTarget(to)}`,
  type: ({ text }, { on, secret }) =>
    `type ${secret ? '(hidden)' : quote(text)} into ${on === '' ? 'the focused field' : on}`,
  press: ({ key, keys }, { secret }) =>
    `press ${cleanText((keys ?? [key ?? '']).map((one) => (secret && [...one].length === 1 ? '•' : one)).join(', '), MOST)}`,
  check: ({ checked }, { on }) => `${checked ? 'check' : 'uncheck'} ${on}`,
  select: ({ values }, { on, secret }) => `select ${secret ? '(hidden)' : list(values)} in ${on}`,
  fill: ({ fields }) => `fill ${count(fields, 'field')}`,
  navigate: ({ url, newTab }) => `open ${cleanText(url, MOST)}${newTab === true ? ' in a new tab' : ''}`,
  history: ({ go }) => (go === 'reload' ? 'reload the page' : `go ${go}`),
  scroll: ({ to }) => `scroll ${to === undefined ? 'the page' : `to the ${to}`}`,
  wait: (action) => `wait for ${describeWait(action)}`,
  evaluate: (_, { on }) => `run a script${on === '' ? '' : ` on ${on}`}`,
  extract: ({ what }, { on }) => `read ${what}${on === '' ? '' : ` of ${on}`}`,
  search: ({ query }) => `search for ${quote(query)}`,
  pdf: () => 'print the page to a PDF',
  snapshot: plain,
  screenshot: plain,
  tab: ({ do: deed, url }) => (url === undefined ? `${deed} tab` : `open ${cleanText(url, MOST)} in a new tab`),
  dialog: ({ do: deed, accept }) =>
    deed === 'answer'
      ? `${accept === true ? 'accept' : 'dismiss'} the dialog`
      : `${deed} an answer for the next dialog`,
  cookies: ({ do: deed, cookies, name, domain }) =>
    `${VERB[deed]} cookies ${cleanText((cookies?.map((cookie) => cookie.name) ?? [name, domain].filter((part) => part !== undefined)).join(', '), MOST)}`,
  storage: ({ do: deed, area, key, values }) =>
    `${VERB[deed]} ${area} storage ${cleanText(key ?? Object.keys(values ?? {}).join(', '), MOST)}`,
  clipboard: ({ do: deed, text }) =>
    `${VERB[deed]} the clipboard${text === undefined ? '' : ` (${count([...text], 'character')})`}`,
  emulate: ({ do: deed, set, scope }) =>
    `${deed === 'set' ? 'emulate' : VERB[deed]} ${deed === 'set' ? Object.keys(set ?? {}).join(', ') : 'emulation'}${scope === 'session' ? ' for the session' : ''}`,
  trace: ({ do: deed }) => TRACE_SENTENCES[deed],
  upload: ({ paths }, { on }) => `upload ${list(paths)}${on === '' ? '' : ` into ${on}`}`,
  download: ({ do: deed }, { on }) => (deed === 'click' ? `download by ${on}` : 'wait for a download'),
  resize: ({ width, height }) => `resize the page to ${width} × ${height}`,
  batch: ({ actions }) => `do ${count(actions, 'action')}`,
  composite: ({ label, actions }) => `${quote(label)} (${count(actions, 'action')})`,
  remedy: ({ do: deed, accept }) =>
    deed === 'answer-dialog' ? `${accept === true ? 'accept' : 'dismiss'} the dialog` : REMEDY_SENTENCES[deed],
  none: plain,
  stop: ({ answer }) => (answer === undefined ? 'stop' : `stop: ${quote(answer)}`),
};

const VERB = { get: 'read', set: 'set', clear: 'clear', reset: 'reset' } as const;
const TRACE_SENTENCES = {
  start: 'start a performance trace',
  stop: 'end the performance trace',
  get: 'look for a performance trace',
} as const;
const REMEDY_SENTENCES = {
  'stop-script': 'stop the running script',
  resume: 'let the paused page go on',
  'stop-loading': 'stop loading',
  reload: 'reload the page',
  blank: 'open a blank page',
  restart: 'restart the tab',
  reopen: 'open the page again that was put aside',
} as const;

/**
 * The element that an action names by ref, role or selector, in the caller's own words; '' where it names none, or a
 * point.
 */
export function namedTarget(action: Action): string {
  const { at: _at, node: _node, ...named } = ownTarget(action);
  return describeTarget(named);
}

/** The target an action names at its top level, if its kind has one. */
function ownTarget(action: Action): TargetFields {
  return {
    ref: 'ref' in action ? action.ref : undefined,
    role: 'role' in action ? action.role : undefined,
    name: 'name' in action ? action.name : undefined,
    selector: 'selector' in action ? action.selector : undefined,
    at: 'at' in action ? action.at : undefined,
    node: 'node' in action ? action.node : undefined,
  };
}

function describeTarget(fields: TargetFields): string {
  const target = targetOf(fields);
  switch (target?.by) {
    case 'ref':
      return target.ref;
    case 'role':
      return `${cleanText(target.role, MOST)} ${target.name === undefined ? '' : quote(target.name)}`.trim();
    case 'selector':
      return cleanText(target.selector, MOST);
    case 'point':
      return `at ${Math.round(target.at.x)}, ${Math.round(target.at.y)}`;
    case 'node':
      return `node ${target.node.backendNodeId}`;
    case undefined:
      return '';
  }
}

function describeWait(action: ActionOf<'wait'>): string {
  const conditions: WaitCondition[] = action.all ?? action.any ?? [action];
  return conditions.flatMap(describeCondition).join(action.any ? ' or ' : ' and ') || 'a moment';
}

/** One entry for each thing that is waited for: the flat older form may hold several. */
function describeCondition({
  text,
  textGone,
  url,
  timeMs,
  loadState,
  stable,
  selector,
  ref,
  role,
  name,
  fn,
  response,
}: WaitCondition): string[] {
  const words = [
    text === undefined ? undefined : quote(text),
    textGone === undefined ? undefined : `${quote(textGone)} to go`,
    url === undefined ? undefined : `the address ${cleanText(url, MOST)}`,
    timeMs === undefined ? undefined : `${timeMs} ms`,
    loadState,
    stable === undefined ? undefined : 'the page to be still',
    selector === undefined ? undefined : cleanText(selector, MOST),
    ref,
    role === undefined ? undefined : `${cleanText(role, MOST)}${name === undefined ? '' : ` ${quote(name)}`}`,
    fn === undefined ? undefined : 'a condition',
    response === undefined ? undefined : `a response from ${cleanText(response.url, MOST)}`,
  ];
  return words.filter((word) => word !== undefined);
}

/** The first few, and how many more there are. */
function list(values: readonly string[]): string {
  const shown = values.slice(0, 5).map(quote).join(', ');
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown;
}

function count(things: readonly unknown[], word: string): string {
  return `${things.length} ${word}${things.length === 1 ? '' : 's'}`;
}

function quote(text: string): string {
  return `“${cleanText(text, MOST)}”`;
}
