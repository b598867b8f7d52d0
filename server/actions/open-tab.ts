import type { Upcoming } from '@/server/browser/emitter';
import type { DialogView } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import type { Tab } from '@/server/browser/tab';
import type { ActionContext, HandlerResult } from './context';
import { show, type Until } from './go-to';

/**
 * Opens a tab, and an address in it, and waits for the page there as `navigate` does. Throws as `show`; the tab stays,
 * and the error names it.
 */
export async function openTab(
  context: ActionContext,
  address: string | undefined,
  label: string | undefined,
  until: Until = 'usable',
): Promise<HandlerResult> {
  const { tabs, budget, write } = context;
  const url = address === undefined ? undefined : context.checkUrl(address);
  if (url !== undefined) await context.demandReachable(url);
  const tab = await tabs.open(budget, label);
  if (url === undefined) return { value: tabs.summary(tab.id) };
  const asks = nextDialog(tab);
  try {
    const shown = await Promise.race([
      show({ ...context, tab, write: write.on(tab.sessions.commands) }, url, until),
      asks.promise,
    ]);
    await budget.race(tab.readInfo());
    return {
      ...shown,
      value: { ...(typeof shown.value === 'object' ? shown.value : {}), ...tabs.summary(tab.id), tab: tab.id },
    };
  } catch (error) {
    if (!(error instanceof WheelhouseError)) throw error;
    throw new WheelhouseError(error.code, error.said ?? error.message, {
      hint: error.cure ?? error.hint,
      details: { ...error.details, tab: tab.id },
      cause: error,
    });
  } finally {
    asks.stop();
  }
}

/** A page that asks something while it loads has not loaded until it is answered (DI1). */
function nextDialog(tab: Tab): Upcoming<HandlerResult> {
  return tab.dialogs.onBlock.next(({ type, id }: DialogView) => ({
    warnings: [`A dialog (${type}, ${id}) opened in ${tab.id}; the page waits for its answer.`],
  }));
}
