import { WheelhouseError } from '@/lib/errors/error';
import type { Action } from './kinds';

export type Variables = Readonly<Record<string, string>>;

/** `${name}`, or `$${name}` for the same characters as they stand. */
const PLACE = /\$(\$?)\{([A-Za-z_]\w*)\}/g;

/**
 * Puts the values of variables into the texts of actions that may hold them (actions.md, "Value `$`"), at any depth. A group inside may bring
 * variables of its own. Throws VAR_MISSING naming every one that has no value, before anything is done.
 */
export function resolveVariables(actions: readonly Action[], variables: Variables): Action[] {
  const missing = new Set<string>();
  const resolved = actions.map((action) => resolved1(action, variables, missing));
  if (missing.size === 0) return resolved;
  const names = [...missing];
  throw new WheelhouseError('VAR_MISSING', `There is no value for ${names.map((name) => `\${${name}}`).join(', ')}.`, { details: { missing: names } });
}

function resolved1(action: Action, variables: Variables, missing: Set<string>): Action {
  const put = (text: string): string => filled(text, variables, missing);
  switch (action.kind) {
    case 'type':
      return { ...action, text: put(action.text) };
    case 'select':
      return { ...action, values: action.values.map(put) };
    case 'fill':
      return { ...action, fields: action.fields.map((field) => (typeof field.value === 'string' ? { ...field, value: put(field.value) } : field)) };
    case 'press':
      return { ...action, ...(action.key === undefined ? {} : { key: put(action.key) }), ...(action.keys ? { keys: action.keys.map(put) } : {}) };
    case 'clipboard':
      return action.text === undefined ? action : { ...action, text: put(action.text) };
    case 'navigate':
      return { ...action, url: put(action.url) };
    case 'search':
      return { ...action, query: put(action.query) };
    case 'dialog':
      return action.promptText === undefined ? action : { ...action, promptText: put(action.promptText) };
    case 'batch':
      return { ...action, actions: action.actions.map((inner) => resolved1(inner, variables, missing)) };
    case 'composite': {
      const own = { ...variables, ...action.variables };
      const inner = (actions: readonly Action[]): Action[] => actions.map((one) => resolved1(one, own, missing));
      return { ...action, actions: inner(action.actions), ...(action.rollback ? { rollback: inner(action.rollback) } : {}) };
    }
    default:
      return action;
  }
}

function filled(text: string, variables: Variables, missing: Set<string>): string {
  return text.replace(PLACE, (place, escaped: string, name: string) => {
    if (escaped !== '') return place.slice(1);
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    missing.add(name);
    return place;
  });
}

/** Values shorter than this stand in ordinary text too often to be hidden. */
const LEAST_MASKED = 3;

/** Puts `${name}` back wherever a variable's value stands in what goes to a caller or into a record (SN6). */
export function maskVariables(value: unknown, variables: Variables): unknown {
  const known = Object.entries(variables).filter(([, text]) => text.length >= LEAST_MASKED).sort(([, a], [, b]) => b.length - a.length);
  return known.length === 0 ? value : masked(value, known);
}

function masked(value: unknown, known: readonly (readonly [string, string])[]): unknown {
  if (typeof value === 'string') return known.reduce((text, [name, secret]) => text.replaceAll(secret, () => `\${${name}}`), value);
  if (Array.isArray(value)) return value.map((one: unknown) => masked(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, known)]));
}
