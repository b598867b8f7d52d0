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
 * Creates the one budget of an action at its door and sends the action through the funnel (BU1). `signal` aborts when
 * the client disconnects (BU2).
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

/** Like `performAction`, for an action written as a step; also returns the result of the step (ST4). */
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
  // An action with an id continues after a disconnect, because the client may resend it on another connection (F7).
  const init = signal === undefined || action.id !== undefined ? { timeoutMs, clock } : { timeoutMs, clock, signal };
  return withBudget(init, async (budget) => {
    try {
      return await work(budget);
    } finally {
      // Aborts work that a dialog or a closed tab left running: nothing of an action may continue after its reply.
      budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
    }
  });
}
