import type { Action, ActionOf } from '@/lib/actions/kinds';
import { resolveVariables } from '@/lib/actions/variables';
import { isSecretName } from '@/lib/text/mask';
import type { Reply } from '@/lib/actions/reply';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Part of a budget that is kept for undoing an atomic composite, and the most that is kept; milliseconds. */
const ROLLBACK = { share: 0.25, mostMs: 10_000 } as const;

/**
 * A batch is one after the other: each action goes through the funnel on its own, so it is told, fenced and queued as
 * if it came alone (AC7).
 */
export const batch = defineAction({ kind: 'batch', settles: false, queued: false, nests: true, run: runBatch });
export const composite = defineAction({
  kind: 'composite',
  settles: false,
  queued: false,
  nests: true,
  run: runComposite,
});

async function runBatch(context: ActionContext, action: ActionOf<'batch'>): Promise<HandlerResult> {
  checkTabs(context, action.actions, 'actions');
  const asWritten = context.asWritten.kind === 'batch' ? context.asWritten.actions : action.actions;
  const done = await runAll(context, pairs(action.actions, asWritten), {
    stopOnError: action.stopOnError ?? true,
    resolved: context.resolved,
  });
  return outcome(done, {});
}

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

interface Pair {
  readonly action: Action;
  /** As it was written, with the names of variables in place of their values: what the timeline is told. */
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
async function runAll(
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
const ENDS_ALL: ReadonlySet<string> = new Set([
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

interface GroupFailure {
  readonly ran: number;
  readonly of: number;
  readonly ok: boolean;
  readonly results: readonly Reply[];
  /** Why it did not run. */
  readonly reason?: string;
}

/**
 * Undoes as far as it can: one step that fails does not keep the others from running. Who lost the wheel may undo
 * nothing.
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

function outcome({ of, results, error }: GroupProgress, more: object): HandlerResult {
  return { value: { ...more, ran: results.length, of, results }, ...(error && { error }) };
}

function pairs(actions: readonly Action[], asWritten: readonly Action[]): Pair[] {
  return actions.map((action, index) => ({ action, asWritten: asWritten[index] ?? action }));
}

/**
 * Actions inside a group act on its own tab. Throws BAD_REQUEST naming the one that does not, before anything is done.
 */
function checkTabs(context: ActionContext, actions: readonly Action[], field: string): void {
  for (const [index, { tab }] of actions.entries()) {
    if (tab === undefined || context.isThisTab(tab)) continue;
    const problem = `is not the tab of the whole, ${context.tab.id}`;
    throw new WheelhouseError('BAD_REQUEST', `"${field}.${index}.tab" ${problem}.`, {
      details: { fields: [{ field: `${field}.${index}.tab`, problem }] },
    });
  }
}
