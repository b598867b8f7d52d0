import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import type { ActionContext, HandlerResult } from './context';

export interface Pair {
  readonly action: Action;
  /** The action as the caller wrote it, with the names of variables instead of their values: for the timeline. */
  readonly asWritten: Action;
}

interface GroupProgress {
  readonly of: number;
  readonly results: readonly Reply[];
  readonly error?: WheelhouseError | undefined;
}

interface RunAll {
  readonly stopOnError: boolean;
  readonly resolved: boolean;
  readonly reserveMs?: number;
}

/** Runs them in turn. What ends the whole call, such as a takeover, ends it here whatever `stopOnError` says. */
export async function runAll(
  context: ActionContext,
  steps: readonly Pair[],
  { stopOnError, resolved, reserveMs = 0 }: RunAll,
): Promise<GroupProgress> {
  const { budget } = context;
  const results: Reply[] = [];
  let error: WheelhouseError | undefined;
  for (const { action, asWritten } of steps) {
    if (budget.over) return { of: steps.length, results, error: budget.reason() };
    const reply = await context.perform(action, { asWritten, resolved, reserveMs });
    results.push(reply);
    if (!reply.error) continue;
    error ??= failure(fromWire(reply.error), results.length, steps.length, asWritten.kind);
    if (stopOnError || ENDS_ALL.has(reply.error.code)) break;
  }
  return { of: steps.length, results, error };
}

/** After these nothing further can go well, or may. */
export const ENDS_ALL: ReadonlySet<string> = new Set([
  'CONTROL_LOST',
  'CONTROL_HELD',
  'BROWSER_DOWN',
  'TAB_NOT_FOUND',
  'ABORTED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
]);

function failure(error: WheelhouseError, number: number, of: number, kind: string): WheelhouseError {
  const { code, hint, message, details } = error;
  return new WheelhouseError(code, `Action ${number} of ${of} (${kind}) failed: ${message}`, {
    cause: error,
    hint,
    details: { ...details, index: number - 1 },
  });
}

export function outcome({ of, results, error }: GroupProgress, more: object): HandlerResult {
  return { value: { ...more, ran: results.length, of, results }, ...(error && { error }) };
}

export function pairs(actions: readonly Action[], asWritten: readonly Action[]): Pair[] {
  return actions.map((action, index) => ({ action, asWritten: asWritten[index] ?? action }));
}

/**
 * Actions inside a group act on its own tab. Throws BAD_REQUEST naming the one that does not, before anything is done.
 */
export function checkTabs(context: ActionContext, actions: readonly Action[], field: string): void {
  for (const [index, { tab }] of actions.entries()) {
    if (tab === undefined || context.isThisTab(tab)) continue;
    const problem = `is not the tab of the whole, ${context.tab.id}`;
    throw new WheelhouseError('BAD_REQUEST', `"${field}.${index}.tab" ${problem}.`, {
      details: { fields: [{ field: `${field}.${index}.tab`, problem }] },
    });
  }
}
