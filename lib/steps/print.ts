import type { Action } from '@/lib/actions/kinds';
import { printBrackets } from './brackets';
import type { VerbName } from './verbs';

interface Head {
  readonly verb: VerbName;
  readonly args: readonly string[];
  /** Fields that verb and arguments say already. */
  readonly said: readonly string[];
}

/**
 * Writes an action as one line; `parseStep` reads it back to an equal action (ST1). What the verb's arguments do not say is added as `field=value`.
 * Only a `type` that leaves `submit` open comes back saying that Enter is not pressed, which means the same.
 */
export function printStep(action: Action): string {
  const { verb, args, said } = headOf(action);
  const rest = Object.entries(action).filter(([field, value]) => value !== undefined && field !== 'kind' && !said.includes(field));
  return [verb === 'none' ? 'None' : verb, ...args, ...rest.map(([field, value]) => `${field}=${JSON.stringify(value)}`)].join(' ');
}

function headOf(action: Action): Head {
  switch (action.kind) {
    case 'click':
    case 'hover':
    case 'focus':
    case 'highlight':
    case 'snapshot':
    case 'screenshot':
      return onElement(action.kind, action);
    case 'scrollIntoView':
      return onElement('scroll_to', action);
    case 'drag':
      return dragHead(action);
    case 'check':
      return onElement(action.checked ? 'check' : 'uncheck', action, [], ['checked']);
    case 'select':
      return onElement('select', action, action.values.map(printBrackets), ['values']);
    case 'type':
      return typeHead(action);
    case 'press':
      return pressHead(action);
    case 'navigate':
      return { verb: 'goto', args: [printBrackets(action.url)], said: ['url'] };
    case 'history':
      return { verb: HISTORY[action.go], args: [], said: ['go'] };
    case 'scroll':
      return scrollHead(action);
    case 'wait':
      return waitHead(action);
    case 'evaluate':
      return { verb: 'evaluate', args: [printBrackets(action.fn)], said: ['fn'] };
    case 'tab':
      return tabHead(action);
    case 'dialog':
      return dialogHead(action);
    case 'resize':
      return { verb: 'resize', args: [`[${action.width}]`, `[${action.height}]`], said: ['width', 'height'] };
    case 'stop':
      return { verb: 'stop', args: optional(action.answer), said: ['answer'] };
    case 'none':
      return { verb: 'none', args: [], said: [] };
  }
}

const HISTORY = { back: 'go_back', forward: 'go_forward', reload: 'reload' } as const satisfies Record<string, VerbName>;

interface MayHaveRef {
  readonly ref?: string | undefined;
}

function onElement(verb: VerbName, { ref }: MayHaveRef, args: readonly string[] = [], said: readonly string[] = []): Head {
  return { verb, args: [...refArg(ref), ...args], said: ['ref', ...said] };
}

function refArg(ref: string | undefined): string[] {
  return ref === undefined ? [] : [`[${ref.replace(/^e/, '')}]`];
}

function optional(text: string | undefined): string[] {
  return text === undefined ? [] : [printBrackets(text)];
}

/** Ends that are refs are written as such; any other way of naming goes by field, and then the second cannot stand alone. */
function dragHead({ from, to }: Extract<Action, { kind: 'drag' }>): Head {
  if (from.ref === undefined) return { verb: 'drag', args: [], said: [] };
  if (to.ref === undefined) return { verb: 'drag', args: refArg(from.ref), said: ['from'] };
  return { verb: 'drag', args: [...refArg(from.ref), ...refArg(to.ref)], said: ['from', 'to'] };
}

/** Without an element, the text goes by name: alone in brackets it would be read as one. */
function typeHead(action: Extract<Action, { kind: 'type' }>): Head {
  const mode = action.mode === 'append' ? ['append=true'] : [];
  const said = ['ref', 'text', 'submit', ...(action.mode === 'append' ? ['mode'] : [])];
  const submits = action.submit === true;
  if ((action.ref ?? action.role ?? action.selector ?? action.at) === undefined) {
    return { verb: 'type', args: [`text=${JSON.stringify(action.text)}`, ...(submits ? [] : ['submit=false']), ...mode], said };
  }
  return { verb: 'type', args: [...refArg(action.ref), printBrackets(action.text), ...(submits ? [] : ['[0]']), ...mode], said };
}

/** A chord that begins with Meta goes by name, since in brackets it would mean the platform's own key (ST3). */
function pressHead({ key }: Extract<Action, { kind: 'press' }>): Head {
  if (key === undefined || /^(?:meta|cmd|command)\s*\+/i.test(key)) return { verb: 'press', args: [], said: [] };
  return { verb: 'press', args: [printBrackets(key)], said: ['key'] };
}

function scrollHead(action: Extract<Action, { kind: 'scroll' }>): Head {
  const way = action.to ?? (action.pages === 1 ? 'down' : action.pages === -1 ? 'up' : undefined);
  if (way === undefined) return onElement('scroll', action);
  return onElement('scroll', action, [`[${way}]`], [action.to === undefined ? 'pages' : 'to']);
}

function waitHead({ text, timeMs }: Extract<Action, { kind: 'wait' }>): Head {
  if (timeMs !== undefined) return { verb: 'wait', args: [`[${timeMs}]`], said: ['timeMs'] };
  if (text === undefined || /^\d+$/.test(text)) return { verb: 'wait', args: [], said: [] };
  return { verb: 'wait', args: [printBrackets(text)], said: ['text'] };
}

function tabHead({ do: deed, url, index, label }: Extract<Action, { kind: 'tab' }>): Head {
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

function dialogHead({ do: deed, accept, promptText }: Extract<Action, { kind: 'dialog' }>): Head {
  const said = deed === 'answer' ? ['do', 'accept', 'promptText'] : ['accept', 'promptText'];
  if (accept === undefined) return { verb: 'dialog', args: [], said: [] };
  return { verb: 'dialog', args: [accept ? '[accept]' : '[dismiss]', ...optional(promptText)], said };
}
