import type { ActionOf } from '@/lib/actions/kinds';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { runAll, outcome, pairs, checkTabs } from './group';

/**
 * A batch is one after the other: each action goes through the funnel on its own, so it is told, fenced and queued as
 * if it came alone (AC7).
 */
export const batch = defineAction({
  kind: 'batch',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  nests: true,
  run: runBatch,
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
