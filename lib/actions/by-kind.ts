import type { Action, ActionKind, ActionOf } from './kinds';

/** One function for each kind; a kind that is missing is a type error. */
export type ByKind<Rest extends readonly unknown[], Result> = {
  readonly [K in ActionKind]: (action: ActionOf<K>, ...rest: Rest) => Result;
};

/** Calls the function of the action's own kind. */
export function byKind<Rest extends readonly unknown[], Result>(
  table: ByKind<Rest, Result>,
  action: Action,
  ...rest: Rest
): Result {
  return call(table, action.kind, action, rest);
}

function call<K extends ActionKind, Rest extends readonly unknown[], Result>(
  table: Pick<ByKind<Rest, Result>, K>,
  kind: K,
  action: Action,
  rest: Rest,
): Result {
  const own: (action: ActionOf<K>, ...rest: Rest) => Result = table[kind];
  if (isOf(action, kind)) return own(action, ...rest);
  throw new TypeError(`A ${action.kind} is no ${kind}.`);
}

export function isOf<K extends ActionKind>(action: Action, kind: K): action is ActionOf<K> {
  return action.kind === kind;
}
