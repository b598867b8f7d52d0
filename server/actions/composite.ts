import type { Action, ActionOf } from '@/lib/actions/kinds';
import { resolveVariables } from '@/lib/actions/variables';
import { isSecretName } from '@/lib/text/mask';
import type { Reply } from '@/lib/actions/reply';
import type { WheelhouseError } from '@/lib/errors/error';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { type Pair, runAll, ENDS_ALL, outcome, pairs, checkTabs } from './group';

/** Part of a budget that is kept for undoing an atomic composite, and the most that is kept; milliseconds. */
const ROLLBACK = { share: 0.25, mostMs: 10_000 } as const;

export const composite = defineAction({
  kind: 'composite',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  nests: true,
  run: runComposite,
});

async function runComposite(context: ActionContext, action: ActionOf<'composite'>): Promise<HandlerResult> {
  const { actions: steps, rollback: undo = [], label, atomic } = action;
  checkTabs(context, steps, 'actions');
  checkTabs(context, undo, 'rollback');
  const variables = action.variables ?? {};
  for (const [name, value] of Object.entries(variables)) if (isSecretName(name)) context.keepSecret(value);
  // An outer composite has put its values in already, and a value may hold what looks like a variable.
  const put = (actions: readonly Action[]): Action[] =>
    context.resolved ? [...actions] : resolveVariables(actions, variables);
  const [resolved, resolvedUndo] = [put(steps), put(undo)];
  const asWritten = context.asWritten.kind === 'composite' ? context.asWritten : action;
  const reserveMs = atomic === true ? Math.min(ROLLBACK.mostMs, context.budget.remainingMs() * ROLLBACK.share) : 0;
  const done = await runAll(context, pairs(resolved, asWritten.actions), {
    stopOnError: true,
    resolved: true,
    reserveMs,
  });
  const undone =
    done.error && atomic === true
      ? await rollBack(context, done.error, pairs(resolvedUndo, asWritten.rollback ?? []))
      : undefined;
  return outcome(done, { label, ...(undone ? { rollback: undone } : {}) });
}

interface GroupFailure {
  readonly ran: number;
  readonly of: number;
  readonly ok: boolean;
  readonly results: readonly Reply[];
  /** Why it did not run. */
  readonly reason?: string;
}

/**
 * Undoes as much as possible: the rollback continues after a failed step. A participant who has lost the lease may not
 * undo anything.
 */
async function rollBack(
  context: ActionContext,
  because: WheelhouseError,
  steps: readonly Pair[],
): Promise<GroupFailure> {
  const of = steps.length;
  if (ENDS_ALL.has(because.code))
    return { ran: 0, of, ok: false, results: [], reason: `Nothing was undone: ${because.message}` };
  const { results, error } = await runAll(context, steps, { stopOnError: false, resolved: true });
  return { ran: results.length, of, ok: error === undefined, results };
}
