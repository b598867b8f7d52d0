import { z } from 'zod';
import type { GroupParts, Inner } from './kinds/group';
import type { Access, KindRules } from './kinds/kind';
import * as list from './kinds/list';

export type { WaitCondition } from './kinds/wait';
export type { Point } from './shared';

type List = typeof list;
type SingleKind = Exclude<keyof List, 'batch' | 'composite'>;
type SingleAction = { [K in SingleKind]: z.output<List[K]['schema']> }[SingleKind];

type BatchFields = z.output<ReturnType<typeof list.batch.schemaOf<Inner>>>;
interface BatchAction extends Omit<BatchFields, 'actions'> {
  actions: Action[];
}

type CompositeFields = z.output<ReturnType<typeof list.composite.schemaOf<Inner>>>;
interface CompositeAction extends Omit<CompositeFields, 'actions' | 'rollback'> {
  actions: Action[];
  rollback?: Action[] | undefined;
}

export type Action = SingleAction | BatchAction | CompositeAction;
export type ActionKind = Action['kind'];
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>;

/** Most actions of one group, its inner groups included, then the greatest depth of groups (AC7). */
const MOST_ACTIONS = 100;
const MOST_DEPTH = 5;

const parts: GroupParts<Action> = {
  actions: z
    .array(z.lazy((): z.ZodType<Action> => actionSchema))
    .min(1)
    .max(MOST_ACTIONS)
    .check((context) => {
      const problem = tooMuch(context.value);
      if (problem !== undefined)
        context.issues.push({ code: 'custom', input: context.value, path: [], message: problem });
    }),
  runScripts: (actions) => [...eachAction(actions)].some(runsScript),
};

const singles = Object.values(list).flatMap((kind) => ('schema' in kind ? [kind.schema] : []));

/**
 * The union of all actions, discriminated by `kind` (AC1); no door accepts anything else. It is recursive: call
 * `assertShallow` on the input first.
 */
export const actionSchema = z.discriminatedUnion(
  'kind',
  [list.batch.schemaOf(parts), list.composite.schemaOf(parts), ...singles],
  { error: 'is not one of the kinds of action' },
);

const KINDS: Readonly<Record<ActionKind, KindRules<Action, string>>> = list;

export function isActionKind(kind: string): kind is ActionKind {
  return Object.hasOwn(KINDS, kind);
}

export const ACTION_KINDS: readonly ActionKind[] = Object.keys(KINDS).filter(isActionKind).toSorted();

/** The rules of an action's kind, or of a kind by its name. */
export function kindOf({ kind }: { readonly kind: ActionKind }): KindRules<Action, string> {
  return KINDS[kind];
}

/** The verb of this action, one of its kind's. */
export function verbOf(action: Action): string {
  return kindOf(action).verb?.(action) ?? action.kind;
}

/**
 * The access that this action needs. It can differ from its kind's: one verb may only read, and a script needs write.
 */
export function accessOf(action: Action): Access {
  const { access, reads = [] } = kindOf(action);
  if (reads.includes(verbOf(action))) return 'read';
  return access === 'read' && runsScript(action) ? 'write' : access;
}

/** Whether the action itself runs a script of its sender; ignores inner actions. */
export function runsScript(action: Action): boolean {
  return kindOf(action).runsScript?.(action) ?? false;
}

/** Whether it, or an action inside it, runs a script of its sender. */
export function usesScript(action: Action): boolean {
  return [...eachAction([action])].some(runsScript);
}

/** All actions inside these, at any depth, outermost first. */
export function* eachAction(actions: readonly Action[]): Generator<Action> {
  for (const action of actions) {
    yield action;
    yield* eachAction(insideOf(action));
  }
}

/** The actions directly inside a group. */
function insideOf(action: Action): readonly Action[] {
  if (!('actions' in action)) return [];
  return 'rollback' in action ? [...action.actions, ...(action.rollback ?? [])] : action.actions;
}

function tooMuch(actions: readonly Action[]): string | undefined {
  if ([...eachAction(actions)].length > MOST_ACTIONS) {
    return `must hold at most ${MOST_ACTIONS} actions, counted with those inside others`;
  }
  return depthOf(actions) > MOST_DEPTH ? `must be nested at most ${MOST_DEPTH} deep` : undefined;
}

function depthOf(actions: readonly Action[]): number {
  const inside = actions.map(insideOf).filter((inner) => inner.length > 0);
  return 1 + Math.max(0, ...inside.map(depthOf));
}
