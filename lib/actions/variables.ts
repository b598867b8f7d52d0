import { WheelhouseError } from '@/lib/errors/error';
import type { Action } from './kinds';

export type Variables = Readonly<Record<string, string>>;

/** `${name}`, or `$${name}` for the same characters as they stand. */
const PLACE = /\$(\$?)\{([A-Za-z_]\w*)\}/g;

/**
 * Puts the values of variables into the texts of actions that may hold them (actions.md, "Value `$`"), at any depth. A
 * group inside may bring variables of its own. Throws VAR_MISSING naming every one that has no value, before anything
 * is done.
 */
export function resolveVariables(actions: readonly Action[], variables: Variables): Action[] {
  const missing = new Set<string>();
  const resolved = actions.map((action) => resolved1(action, variables, missing));
  if (missing.size === 0) return resolved;
  const names = [...missing];
  throw new WheelhouseError('VAR_MISSING', `There is no value for ${names.map((name) => `\${${name}}`).join(', ')}.`, {
    details: { missing: names },
  });
}

function resolved1(action: Action, variables: Variables, missing: Set<string>): Action {
  const put = (text: string): string => filled(text, variables, missing);
  switch (action.kind) {
    case 'type':
      return { ...action, text: put(action.text) };
    case 'select':
      return { ...action, values: action.values.map(put) };
    case 'fill':
      return { ...action, fields: action.fields.map((field) => withValue(field, put)) };
    case 'press':
      return {
        ...action,
        ...(action.key === undefined ? {} : { key: put(action.key) }),
        ...(action.keys ? { keys: action.keys.map(put) } : {}),
      };
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
      return {
        ...action,
        actions: inner(action.actions),
        ...(action.rollback ? { rollback: inner(action.rollback) } : {}),
      };
    }
    default:
      return action;
  }
}

function withValue<F extends { readonly value?: unknown }>(field: F, put: (text: string) => string): F {
  return typeof field.value === 'string' ? { ...field, value: put(field.value) } : field;
}

function filled(text: string, variables: Variables, missing: Set<string>): string {
  return text.replace(PLACE, (place, escaped: string, name: string) => {
    if (escaped !== '') return place.slice(1);
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    missing.add(name);
    return place;
  });
}
