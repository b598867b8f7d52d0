import type { ActionOf } from '@/lib/actions/kinds';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { runAll, outcome, pairs, checkTabs } from './group';

/**
 * Carries out actions one after the other. Each takes the action path by itself, so it has its own timeline rows, fence
 * and place in the queue (AC7).
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
