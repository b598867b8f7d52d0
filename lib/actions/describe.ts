import { cleanText } from '@/lib/text/clean';
import type { Action, WaitCondition } from './kinds';
import { targetOf, type TargetFields } from './shared';

export interface ElementName {
  readonly role: string;
  readonly name: string;
}

/** Characters of page or agent text that one timeline line may hold. */
const MOST = 120;

/** One line for people: `click button "Sign in"`. Typed text is left out when `secret` (SN6). */
export function describeAction(action: Action, element?: ElementName, secret = false): string {
  const on = element ? `${cleanText(element.role, MOST)} ${quote(element.name)}` : describeTarget(ownTarget(action));
  switch (action.kind) {
    case 'click':
      return `${action.count === 2 || action.doubleClick === true ? 'double-click' : 'click'} ${on}`;
    case 'drag':
      return `drag ${element === undefined ? describeTarget(action.from) : on} to ${describeTarget(action.to)}`;
    case 'type':
      return `type ${secret ? '(hidden)' : quote(action.text)} into ${on === '' ? 'the focused field' : on}`;
    case 'press':
      return `press ${cleanText((action.keys ?? [action.key ?? '']).map((key) => (secret && [...key].length === 1 ? '•' : key)).join(', '), MOST)}`;
    case 'check':
      return `${action.checked ? 'check' : 'uncheck'} ${on}`;
    case 'select':
      return `select ${secret ? '(hidden)' : list(action.values)} in ${on}`;
    case 'navigate':
      return `open ${cleanText(action.url, MOST)}${action.newTab === true ? ' in a new tab' : ''}`;
    case 'history':
      return action.go === 'reload' ? 'reload the page' : `go ${action.go}`;
    case 'scroll':
      return `scroll ${action.to === undefined ? 'the page' : `to the ${action.to}`}`;
    case 'wait':
      return `wait for ${describeWait(action)}`;
    case 'evaluate':
      return `run a script${on === '' ? '' : ` on ${on}`}`;
    case 'tab':
      return action.url === undefined ? `${action.do} tab` : `open ${cleanText(action.url, MOST)} in a new tab`;
    case 'dialog':
      return action.do === 'answer' ? `${action.accept === true ? 'accept' : 'dismiss'} the dialog` : `${action.do} an answer for the next dialog`;
    case 'resize':
      return `resize the page to ${action.width} × ${action.height}`;
    case 'stop':
      return action.answer === undefined ? 'stop' : `stop: ${quote(action.answer)}`;
    case 'scrollIntoView':
      return `scroll to ${on}`;
    default:
      return `${action.kind} ${on}`.trim();
  }
}

/** The target an action names at its top level, if its kind has one. */
function ownTarget(action: Action): TargetFields {
  return {
    ref: 'ref' in action ? action.ref : undefined,
    role: 'role' in action ? action.role : undefined,
    name: 'name' in action ? action.name : undefined,
    selector: 'selector' in action ? action.selector : undefined,
    at: 'at' in action ? action.at : undefined,
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
    case undefined:
      return '';
  }
}

function describeWait(action: Extract<Action, { kind: 'wait' }>): string {
  const conditions: WaitCondition[] = action.all ?? action.any ?? [action];
  return conditions.flatMap(describeCondition).join(action.any ? ' or ' : ' and ') || 'a moment';
}

/** One entry for each thing that is waited for: the flat older form may hold several. */
function describeCondition({ text, textGone, url, timeMs, loadState, stable, selector, ref, fn }: WaitCondition): string[] {
  const words = [
    text === undefined ? undefined : quote(text),
    textGone === undefined ? undefined : `${quote(textGone)} to go`,
    url === undefined ? undefined : `the address ${cleanText(url, MOST)}`,
    timeMs === undefined ? undefined : `${timeMs} ms`,
    loadState,
    stable === undefined ? undefined : 'the page to be still',
    selector === undefined ? undefined : cleanText(selector, MOST),
    ref,
    fn === undefined ? undefined : 'a condition',
  ];
  return words.filter((word) => word !== undefined);
}

/** The first few, and how many more there are. */
function list(values: readonly string[]): string {
  const shown = values.slice(0, 5).map(quote).join(', ');
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown;
}

function quote(text: string): string {
  return `“${cleanText(text, MOST)}”`;
}
