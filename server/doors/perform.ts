import { kindOf, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { clampTimeout } from '@/lib/budget/limits';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Caller } from '@/server/session/caller';
import type { Session } from '@/server/session/session';
import { step, type StepOutcome } from '@/server/session/step';

/** The call that an action came with. */
interface ActionDoor {
  /** Aborts when the client disconnects (BU2). */
  readonly signal?: AbortSignal | undefined;
  /** When the call came in: the budget of an action counts from then. Monotonic milliseconds. */
  readonly startedAt?: number;
}

/** Creates the one budget of an action at its door and sends the action through the funnel (BU1). */
export function performAction(
  clock: Clock,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  door: ActionDoor = {},
): Promise<Reply> {
  return inBudgetOf(action, clock, door, (budget) => session.perform(caller, tab, action, budget, door.signal));
}

/** Like `performAction`, for an action written as a step; also returns the result of the step (ST4). */
export function performStep(
  clock: Clock,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  door: ActionDoor = {},
): Promise<StepOutcome> {
  return inBudgetOf(action, clock, door, (budget) => step(budget, session, caller, tab, action, door.signal));
}

function inBudgetOf<T>(
  action: Action,
  clock: Clock,
  { signal, startedAt }: ActionDoor,
  work: (budget: Budget) => Promise<T>,
): Promise<T> {
  const timeoutMs = clampTimeout(action.timeoutMs, kindOf(action).timeoutMs);
  // An action with an id continues after a disconnect, because the client may resend it on another connection (F7).
  const ends = signal === undefined || action.id !== undefined ? {} : { signal };
  return withBudget({ timeoutMs, clock, startedAt, ...ends }, async (budget) => {
    try {
      return await work(budget);
    } finally {
      // Aborts work that a dialog or a closed tab left running: nothing of an action may continue after its reply.
      budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
    }
  });
}
