import { z } from 'zod';
import { envelopeFields } from '../shared';
import { IDLE_KINDS, SINGLE_KINDS, type SingleAction } from './single';

/** Actions made of actions (AC7). Their types are written out, since they hold each other. */

const envelope = z.strictObject(envelopeFields);
type Envelope = z.infer<typeof envelope>;

interface BatchAction extends Envelope {
  kind: 'batch';
  actions: Action[];
  stopOnError?: boolean | undefined;
}

interface CompositeAction extends Envelope {
  kind: 'composite';
  label: string;
  actions: Action[];
  atomic?: boolean | undefined;
  rollback?: Action[] | undefined;
  variables?: Record<string, string> | undefined;
}

export type Action = SingleAction | BatchAction | CompositeAction;

/** What one group may hold, counted with all that its groups hold (actions.md, "batch"). */
const MOST_ACTIONS = 100;
const MOST_DEPTH = 5;

const inner = z
  .array(z.lazy((): z.ZodType<Action> => actionSchema))
  .min(1)
  .max(MOST_ACTIONS)
  .check((context) => {
    const problem = tooMuch(context.value);
    if (problem !== undefined)
      context.issues.push({ code: 'custom', input: context.value, path: [], message: problem });
  });

const batch = z.strictObject({
  kind: z.literal('batch'),
  ...envelopeFields,
  actions: inner,
  /** Default true. */
  stopOnError: z.boolean().optional(),
});

const composite = z
  .strictObject({
    kind: z.literal('composite'),
    ...envelopeFields,
    label: z.string().min(1).max(120),
    actions: inner,
    /** Undo by `rollback` what was done when one of the actions fails. */
    atomic: z.boolean().optional(),
    rollback: inner.optional(),
    /** What `${name}` stands for in the texts of its actions. */
    variables: z
      .record(z.string().regex(/^[A-Za-z_]\w{0,59}$/, 'is not a name: letters, digits and _'), z.string().max(10_000))
      .optional(),
  })
  .refine(({ atomic, rollback }) => (atomic === true) === (rollback !== undefined), {
    path: ['rollback'],
    message: 'goes with "atomic": true, and an atomic composite must say how it is undone',
  })
  .refine(({ rollback }) => ![...eachAction(rollback ?? [])].some(runsScript), {
    path: ['rollback'],
    message: 'may hold no script',
  });

/**
 * Every action there is, told apart by `kind` (AC1, actions.md "Kinds"). What is not in this union cannot be done by
 * any door. Whoever parses with it checks the nesting first (`assertShallow`): it calls itself.
 */
export const actionSchema = z.discriminatedUnion('kind', [...SINGLE_KINDS, batch, composite, ...IDLE_KINDS], {
  error: 'is not one of the kinds of action',
});

/** All actions inside these, at any depth, outermost first. */
export function* eachAction(actions: readonly Action[]): Generator<Action> {
  for (const action of actions) {
    yield action;
    if (action.kind === 'batch' || action.kind === 'composite')
      yield* eachAction([...action.actions, ...('rollback' in action ? (action.rollback ?? []) : [])]);
  }
}

/** Whether an action itself runs a script of its sender, leaving aside those inside it. */
export function runsScript(action: Action): boolean {
  if (action.kind === 'evaluate') return true;
  return (
    action.kind === 'wait' &&
    [action, ...(action.all ?? []), ...(action.any ?? [])].some((condition) => condition.fn !== undefined)
  );
}

function tooMuch(actions: readonly Action[]): string | undefined {
  if ([...eachAction(actions)].length > MOST_ACTIONS)
    return `must hold at most ${MOST_ACTIONS} actions, counted with those inside others`;
  return depthOf(actions) > MOST_DEPTH ? `must be nested at most ${MOST_DEPTH} deep` : undefined;
}

function depthOf(actions: readonly Action[]): number {
  const inside = actions.flatMap((action) =>
    action.kind === 'batch' || action.kind === 'composite' ? [depthOf(action.actions)] : [],
  );
  return 1 + Math.max(0, ...inside);
}
