import type { Action, ActionKind, ActionOf } from '@/lib/actions/kinds';
import { expectChange } from '@/server/browser/settle';
import type { ActionContext, Handler, HandlerResult } from './context';
import * as list from './list';

/** How each kind is carried out (AC1). A kind without a handler is a type error here. */
const HANDLERS: { readonly [K in ActionKind]: Handler<ActionOf<K>> } = list;

export function handlerOf({ kind }: Action): Handler<Action> {
  return HANDLERS[kind];
}

/** Carries an action out, from the moment that it may. */
export function runHandler(context: ActionContext, action: Action): Promise<HandlerResult> {
  const handler = handlerOf(action);
  if (handler.settles) expectChange(context.budget, context.tab);
  return handler.run(context, action);
}
