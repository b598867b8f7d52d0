import type { Action } from '@/lib/actions/kinds';

/** What a person can do with a line of the snapshot. `type` and `select` ask for a text first. */
export type LineAction = 'click' | 'type' | 'select' | 'check' | 'uncheck' | 'focus' | 'hover' | 'scrollIntoView';

const WRITES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton']);
const TICKS: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const CHOOSES: ReadonlySet<string> = new Set(['combobox', 'listbox']);

/** The deeds that fit a role, the likeliest first. */
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

/** Does this deed need a text from the person? */
export function needsText(action: LineAction): action is 'type' | 'select' {
  return action === 'type' || action === 'select';
}

/** The action that does it to the element of `ref`. */
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
