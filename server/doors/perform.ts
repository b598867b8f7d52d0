import { kindOf, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { clampTimeout } from '@/lib/budget/limits';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Caller } from '@/server/session/caller';
import type { Session } from '@/server/session/session';
import { step, type StepOutcome } from '@/server/session/step';

/**
 * Makes the one budget of an action where it enters, and sends it through the funnel (BU1). `signal`: aborted when the
 * client goes away (BU2).
 */
export function performAction(
  clock: Clock,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  signal?: AbortSignal,
): Promise<Reply> {
  return inBudgetOf(action, clock, signal, (budget) => session.perform(caller, tab, action, budget, signal));
}

/** The same for an action that was written as a step: with what came of it (ST4). */
export function performStep(
  clock: Clock,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  return inBudgetOf(action, clock, signal, (budget) => step(budget, session, caller, tab, action, signal));
}

function inBudgetOf<T>(
  action: Action,
  clock: Clock,
  signal: AbortSignal | undefined,
  work: (budget: Budget) => Promise<T>,
): Promise<T> {
  const timeoutMs = clampTimeout(action.timeoutMs, kindOf(action).timeoutMs);
  // With an id it may be sent again over another connection, and goes on meanwhile: the funnel sees to that (F7).
  const init = signal === undefined || action.id !== undefined ? { timeoutMs, clock } : { timeoutMs, clock, signal };
  return withBudget(init, async (budget) => {
    try {
      return await work(budget);
    } finally {
      // What a dialog or a closed tab left behind of the action must not go on once it has been answered.
      budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
    }
  });
}
