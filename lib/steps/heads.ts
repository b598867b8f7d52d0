import type { ByKind } from '@/lib/actions/by-kind';
import type { ActionOf } from '@/lib/actions/kinds';
import { printBrackets } from './brackets';
import { platformChord, type VerbName } from './verbs';

/** How an action begins as a step. */
export interface StepHead {
  readonly verb: VerbName;
  readonly args: readonly string[];
  /** Fields that verb and arguments say already. */
  readonly said: readonly string[];
}

/** The verb of each kind with its arguments; what they leave out goes by `field=value`. */
export const STEP_HEADS: ByKind<[], StepHead> = {
  click: (action) => onElement('click', action),
  hover: (action) => onElement('hover', action),
  focus: (action) => onElement('focus', action),
  highlight: (action) => onElement('highlight', action),
  scrollIntoView: (action) => onElement('scroll_to', action),
  drag: dragHead,
  type: typeHead,
  press: pressHead,
  check: (action) => onElement(action.checked ? 'check' : 'uncheck', action, [], ['checked']),
  select: (action) => onElement('select', action, action.values.map(printBrackets), ['values']),
  fill: fillHead,
  navigate: ({ url }) => ({ verb: 'goto', args: [printBrackets(url)], said: ['url'] }),
  history: ({ go }) => ({ verb: HISTORY[go], args: [], said: ['go'] }),
  scroll: scrollHead,
  wait: waitHead,
  evaluate: ({ fn }) => ({ verb: 'evaluate', args: [printBrackets(fn)], said: ['fn'] }),
  extract: extractHead,
  search: ({ query }) => ({ verb: 'search', args: [printBrackets(query)], said: ['query'] }),
  pdf: () => ({ verb: 'pdf', args: [], said: [] }),
  snapshot: (action) => onElement('snapshot', action),
  screenshot: (action) => onElement('screenshot', action),
  tab: tabHead,
  dialog: dialogHead,
  cookies: ({ kind, do: deed }) => ({ verb: kind, args: [`[${deed}]`], said: ['do'] }),
  storage: ({ kind, do: deed }) => ({ verb: kind, args: [`[${deed}]`], said: ['do'] }),
  clipboard: ({ do: deed, text }) => ({
    verb: 'clipboard',
    args: [`[${deed}]`, ...optional(text)],
    said: ['do', 'text'],
  }),
  emulate: ({ kind, do: deed }) => ({ verb: kind, args: [`[${deed}]`], said: ['do'] }),
  trace: ({ kind, do: deed }) => ({ verb: kind, args: [`[${deed}]`], said: ['do'] }),
  upload: uploadHead,
  download: (action) =>
    action.do === 'wait'
      ? { verb: 'wait_download', args: [], said: ['do'] }
      : onElement('download', action, [], ['do']),
  resize: ({ width, height }) => ({ verb: 'resize', args: [`[${width}]`, `[${height}]`], said: ['width', 'height'] }),
  batch: () => ({ verb: 'batch', args: [], said: [] }),
  composite: ({ label }) => ({ verb: 'composite', args: [printBrackets(label)], said: ['label'] }),
  remedy: ({ do: deed }) => ({ verb: 'remedy', args: [`[${deed}]`], said: ['do'] }),
  none: () => ({ verb: 'none', args: [], said: [] }),
  stop: ({ answer }) => ({ verb: 'stop', args: optional(answer), said: ['answer'] }),
};

const HISTORY = { back: 'go_back', forward: 'go_forward', reload: 'reload' } as const satisfies Record<
  string,
  VerbName
>;

interface MayHaveRef {
  readonly ref?: string | undefined;
}

function onElement(
  verb: VerbName,
  { ref }: MayHaveRef,
  args: readonly string[] = [],
  said: readonly string[] = [],
): StepHead {
  return { verb, args: [...refArg(ref), ...args], said: ['ref', ...said] };
}

function refArg(ref: string | undefined): string[] {
  return ref === undefined ? [] : [`[${ref.replace(/^e/, '')}]`];
}

function optional(text: string | undefined): string[] {
  return text === undefined ? [] : [printBrackets(text)];
}

/**
 * Ends that are refs are written as such; any other way of naming goes by field, and then the second cannot stand
 * alone.
 */
function dragHead({ from, to }: ActionOf<'drag'>): StepHead {
  if (from.ref === undefined) return { verb: 'drag', args: [], said: [] };
  if (to.ref === undefined) return { verb: 'drag', args: refArg(from.ref), said: ['from'] };
  return { verb: 'drag', args: [...refArg(from.ref), ...refArg(to.ref)], said: ['from', 'to'] };
}

/** Without an element the files go by name: the first in brackets would be read as one. */
function uploadHead(action: ActionOf<'upload'>): StepHead {
  return action.ref === undefined
    ? { verb: 'upload', args: [], said: [] }
    : onElement('upload', action, action.paths.map(printBrackets), ['paths']);
}

function extractHead({ what, ref }: ActionOf<'extract'>): StepHead {
  return { verb: 'extract', args: [`[${what}]`, ...refArg(ref)], said: ['what', 'ref'] };
}

/** Pairs of number and text where every field is such; else as they are. */
function fillHead({ fields }: ActionOf<'fill'>): StepHead {
  const pairs = fields.flatMap(({ ref, value, type }) =>
    ref === undefined || typeof value !== 'string' || type !== undefined ? [] : [...refArg(ref), printBrackets(value)],
  );
  return pairs.length === fields.length * 2
    ? { verb: 'fill', args: pairs, said: ['fields'] }
    : { verb: 'fill', args: [], said: [] };
}

/** Without an element, the text goes by name: alone in brackets it would be read as one. */
function typeHead(action: ActionOf<'type'>): StepHead {
  const mode = action.mode === 'append' ? ['append=true'] : [];
  const said = ['ref', 'text', 'submit', ...(action.mode === 'append' ? ['mode'] : [])];
  const submits = action.submit === true;
  if ((action.ref ?? action.role ?? action.selector ?? action.at ?? action.node) === undefined) {
    return {
      verb: 'type',
      args: [`text=${JSON.stringify(action.text)}`, ...(submits ? [] : ['submit=false']), ...mode],
      said,
    };
  }
  return {
    verb: 'type',
    args: [...refArg(action.ref), printBrackets(action.text), ...(submits ? [] : ['[0]']), ...mode],
    said,
  };
}

/** A chord that begins with Meta goes by name, since in brackets it would mean the platform's own key (ST3). */
function pressHead({ key }: ActionOf<'press'>): StepHead {
  if (key === undefined || platformChord(key) !== key) return { verb: 'press', args: [], said: [] };
  return { verb: 'press', args: [printBrackets(key)], said: ['key'] };
}

function scrollHead(action: ActionOf<'scroll'>): StepHead {
  const way = action.to ?? (action.pages === 1 ? 'down' : action.pages === -1 ? 'up' : undefined);
  if (way === undefined) return onElement('scroll', action);
  return onElement('scroll', action, [`[${way}]`], [action.to === undefined ? 'pages' : 'to']);
}

function waitHead({ text, timeMs }: ActionOf<'wait'>): StepHead {
  if (timeMs !== undefined) return { verb: 'wait', args: [`[${timeMs}]`], said: ['timeMs'] };
  if (text === undefined || /^\d+$/.test(text)) return { verb: 'wait', args: [], said: [] };
  return { verb: 'wait', args: [printBrackets(text)], said: ['text'] };
}

function tabHead({ do: deed, url, index, label }: ActionOf<'tab'>): StepHead {
  switch (deed) {
    case 'open':
      return { verb: 'new_tab', args: optional(url), said: ['do', 'url'] };
    case 'focus':
    case 'close': {
      const verb = deed === 'focus' ? 'tab_focus' : 'close_tab';
      return { verb, args: index === undefined ? [] : [`[${index}]`], said: ['do', 'index'] };
    }
    case 'label':
      return { verb: 'label_tab', args: optional(label), said: ['do', 'label'] };
    case 'list':
      return { verb: 'list_tabs', args: [], said: ['do'] };
  }
}

function dialogHead({ do: deed, accept, promptText }: ActionOf<'dialog'>): StepHead {
  const said = deed === 'answer' ? ['do', 'accept', 'promptText'] : ['accept', 'promptText'];
  if (accept === undefined) return { verb: 'dialog', args: [], said: [] };
  return { verb: 'dialog', args: [accept ? '[accept]' : '[dismiss]', ...optional(promptText)], said };
}
