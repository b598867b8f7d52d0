import { isOf, type Action, type ActionKind } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { expectChange } from '@/server/browser/settle';
import { check } from './check';
import type { ActionContext, ActionDefinition, HandlerResult } from './context';
import { cookies } from './cookies';
import { dialog } from './dialog';
import { download } from './download';
import { drag } from './drag';
import { emulate } from './emulate';
import { evaluate } from './evaluate';
import { batch, composite } from './group';
import { extract } from './extract';
import { fill } from './fill';
import { highlight } from './highlight';
import { screenshot, snapshot } from './look';
import { history, navigate } from './navigate';
import { pdf } from './pdf';
import { click, focus, hover } from './pointer';
import { remedy } from './remedy';
import { scroll, scrollIntoView } from './scroll';
import { select } from './select';
import { none, resize, stop } from './small';
import { storage } from './storage';
import { clipboard } from './clipboard';
import { tab } from './tabs';
import { search } from './search';
import { press, type } from './text';
import { trace } from './trace';
import { upload } from './upload';
import { wait } from './wait';

/** Every kind there is (AC1). A kind without a definition is a type error here. */
const REGISTRY: { readonly [K in ActionKind]: ActionDefinition<K> } = {
  click,
  hover,
  focus,
  highlight,
  scrollIntoView,
  drag,
  type,
  press,
  check,
  select,
  fill,
  scroll,
  navigate,
  history,
  wait,
  evaluate,
  extract,
  search,
  snapshot,
  screenshot,
  pdf,
  tab,
  dialog,
  upload,
  download,
  resize,
  cookies,
  storage,
  clipboard,
  emulate,
  trace,
  remedy,
  batch,
  composite,
  none,
  stop,
};

/** A definition for callers that know the kind only while running. */
export interface RunnableAction<K extends ActionKind = ActionKind> {
  readonly kind: K;
  readonly settles: boolean;
  readonly queued: boolean;
  readonly nests: boolean;
  /** Throws INTERNAL when the action is of another kind than was asked for. */
  run(context: ActionContext, action: Action): Promise<HandlerResult>;
}

/** How an action of this kind is carried out. */
export function runAction<K extends ActionKind>(kind: K): RunnableAction<K> {
  const { settles, queued, nests = false, run } = definitionOf(kind);
  return {
    kind,
    settles,
    queued,
    nests,
    run: (context, action) => {
      if (settles) expectChange(context.budget, context.tab);
      if (isOf(action, kind)) return run(context, action);
      throw new WheelhouseError('INTERNAL', `A ${action.kind} was given to ${kind}.`);
    },
  };
}

function definitionOf<K extends ActionKind>(kind: K): ActionDefinition<K> {
  return REGISTRY[kind];
}
