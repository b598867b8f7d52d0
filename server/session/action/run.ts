import { accessOf, runsScript, usesScript, type Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { ActionContext, ActionOutcome, HandlerResult } from '@/server/actions/context';
import { expectation } from '@/server/actions/expect';
import { handlerOf, runHandler } from '@/server/actions/registry';
import { dialogError } from '@/server/browser/dialogs';
import type { Upcoming } from '@/server/browser/emitter';
import type { SessionKernel } from '../kernel';
import type { SessionTab } from '../session-tab';
import type { ActionCall } from './call';
import type { RunningAction } from './running-actions';
import { changesSince, inputWarnings, markPage, requestedSnapshot, settlePage } from './settle';

/**
 * Runs the handler of an action when its turn comes, and waits until the page has settled. Throws RATE_LIMITED when too
 * many scripts run.
 */
export async function runInTurn(
  kernel: SessionKernel,
  call: ActionCall,
  context: ActionContext,
  running: RunningAction,
): Promise<ActionOutcome> {
  const { action, sessionTab, budget } = call;
  const endScript = runsScript(action) ? kernel.rates.script(sessionTab.tab.id) : undefined;
  const endInterest = sessionTab.tab.hangMonitor.want();
  try {
    abortOthersOfHungTab(kernel, call, running);
    const endTurn = handlerOf(action).queued ? await sessionTab.queue.turn(budget) : undefined;
    try {
      return await run(kernel, call, context, running);
    } finally {
      endTurn?.();
    }
  } finally {
    endInterest();
    endScript?.();
  }
}

/** Aborts the other actions of a hung tab when this one replaces its page: it must not queue behind them (EV4). */
function abortOthersOfHungTab(
  kernel: SessionKernel,
  { action, sessionTab: { tab } }: ActionCall,
  self: RunningAction,
): void {
  if (tab.health.state !== 'hung' || handlerOf(action).replacesPage?.(action) !== true) return;
  const error = new WheelhouseError('ABORTED', 'The page hangs, and another action replaces it.');
  for (const running of kernel.runningActions.on(tab.id)) if (running !== self) running.budget.abort(error);
}

async function run(
  kernel: SessionKernel,
  call: ActionCall,
  context: ActionContext,
  running: RunningAction,
): Promise<ActionOutcome> {
  const { sessionTab, action } = call;
  const { tab } = sessionTab;
  // Checked last: fields can become masked while an action waits (CO8).
  tab.tools.privateFields.demandBlind(action);
  const { nests = false, answersDialogs = nests, mayCloseTab = nests, ...handler } = handlerOf(action);
  const settles = handler.settles && call.inside?.settle !== false;
  const before = markPage(kernel, sessionTab);
  const dialog = dialogBlocks(sessionTab, action);
  const closed = closing(sessionTab);
  try {
    const missed = await expectation(context, action);
    const work = runHandler(context, action);
    const result = await Promise.race([
      // A script counts as one write: the lease passes on only after it has ended (CO3).
      usesScript(action) && !nests ? running.written(work) : work,
      ...(answersDialogs ? [] : [dialog.promise]),
      ...(settles || mayCloseTab ? [] : [closed.promise]),
    ]);
    if (settles && !tab.dialogs.current) await settlePage(call, dialog.promise);
    const error = result.error ?? (await missed());
    const changes = changesSince(kernel, call, context, before);
    return {
      ...result,
      ...(error && { error }),
      warnings: [...(result.warnings ?? []), ...inputWarnings(tab, running, changes)],
      ...changes,
      ...(await requestedSnapshot(kernel, call)),
    };
  } finally {
    dialog.stop();
    closed.stop();
    void tab.readInfo();
  }
}

/**
 * An action that opens a dialog returns at once with the dialog (DI1). One that should return a value or load another
 * page fails instead (EV10).
 */
function dialogBlocks(sessionTab: SessionTab, action: Action): Upcoming<HandlerResult> {
  return sessionTab.tab.dialogs.onBlock.next((dialog): HandlerResult => {
    if (
      accessOf(action) === 'read' ||
      handlerOf(action).failsOnDialog === true ||
      (dialog.type === 'beforeunload' && handlerOf(action).replacesPage?.(action) === true)
    )
      throw dialogError(dialog);
    return { warnings: ['A dialog opened; the page waits for its answer.'] };
  });
}

/**
 * Rejects when the tab closes: an action that waits for an event of its page would otherwise wait for its whole budget.
 * Settling, and closing a tab, handle that themselves.
 */
function closing(sessionTab: SessionTab): Upcoming<never> {
  return sessionTab.tab.onChange.next<never>(() => {
    if (sessionTab.tab.health.state === 'closed') throw new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' });
    return undefined;
  });
}
