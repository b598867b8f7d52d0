import { WheelhouseError } from '@/lib/errors/error';
import { kindOf, type Action } from './kinds';

export type Variables = Readonly<Record<string, string>>;

/** `${name}` is a variable; `$${name}` is the literal text `${name}`. */
const PLACE = /\$(\$?)\{([A-Za-z_]\w*)\}/g;

/**
 * Replaces the variables in the texts of actions by their values, at any depth. A group inside may define variables of
 * its own. Throws VAR_MISSING with the names of all that have no value.
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
  if (!('actions' in action)) {
    return kindOf(action).withVariables?.(action, (text) => filled(text, variables, missing)) ?? action;
  }
  const own = 'variables' in action ? { ...variables, ...action.variables } : variables;
  const inner = (actions: readonly Action[]): Action[] => actions.map((one) => resolved1(one, own, missing));
  if (action.kind === 'batch') return { ...action, actions: inner(action.actions) };
  return {
    ...action,
    actions: inner(action.actions),
    ...(action.rollback ? { rollback: inner(action.rollback) } : {}),
  };
}

function filled(text: string, variables: Variables, missing: Set<string>): string {
  return text.replace(PLACE, (place, escaped: string, name: string) => {
    if (escaped !== '') return place.slice(1);
    if (Object.hasOwn(variables, name)) return variables[name] ?? '';
    missing.add(name);
    return place;
  });
}
