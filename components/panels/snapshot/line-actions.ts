import type { Action } from '@/lib/actions/kinds';

/** What a person can do with the element of a snapshot line. `type` and `select` ask for a text first. */
export type LineAction = 'click' | 'type' | 'select' | 'check' | 'uncheck' | 'focus' | 'hover' | 'scrollIntoView';

const WRITES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton']);
const TICKS: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const CHOOSES: ReadonlySet<string> = new Set(['combobox', 'listbox']);

/** Actions for a role, the likeliest first. */
export function lineActionsOf(role: string): readonly LineAction[] {
  return [...special(role), 'focus', 'hover', 'scrollIntoView'];
}

function special(role: string): readonly LineAction[] {
  if (WRITES.has(role)) return ['type', 'click'];
  if (TICKS.has(role)) return ['check', 'uncheck', 'click'];
  if (role === 'radio' || role === 'menuitemradio') return ['check', 'click'];
  if (CHOOSES.has(role)) return ['select', 'type', 'click'];
  return ['click'];
}

/** True for actions that ask the person for a text. */
export function needsText(action: LineAction): action is 'type' | 'select' {
  return action === 'type' || action === 'select';
}

/** Builds the action on the element of `ref`. */
export function actionOf(action: LineAction, ref: string, text = ''): Action {
  switch (action) {
    case 'type':
      return { kind: 'type', ref, text, mode: 'replace' };
    case 'select':
      return { kind: 'select', ref, values: [text] };
    case 'check':
    case 'uncheck':
      return { kind: 'check', ref, checked: action === 'check' };
    default:
      return { kind: action, ref };
  }
}
