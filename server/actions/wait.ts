import type { ActionOf, WaitCondition } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { matchesGlob } from '@/lib/text/glob';
import type { Tab } from '@/server/browser/tab';
import { forResponse } from '@/server/browser/watch/for-response';
import { untilElement, untilPage } from '@/server/browser/page-waits';
import { untilTrue } from '@/server/cdp/evaluate/source';
import { CdpError } from '@/server/cdp/protocol';
import { defineAction, type ActionContext } from './context';
import { scriptName } from './evaluate';

/** Pause between two looks for an element by role and name. Milliseconds. */
export const LOOK_AGAIN_MS = 200;

export const wait = defineAction({
  kind: 'wait',
  settles: false,
  queued: false,
  run: async (context, action) => {
    const waits = conditionsOf(action).map((condition) => waitFor(context, condition));
    await (action.any ? Promise.any(waits).catch(firstReason) : Promise.all(waits));
    return { value: { url: context.tab.url } };
  },
});

/** `all`, `any`, or the flat older fields, each of which is a condition of its own. */
function conditionsOf(action: ActionOf<'wait'>): WaitCondition[] {
  if (action.all ?? action.any) return action.all ?? action.any ?? [];
  const { timeMs, text, textGone, selector, ref, role, name, nth, state, url, loadState, fn, stable, response } =
    action;
  const single: WaitCondition[] = [
    { timeMs },
    { text },
    { textGone },
    { selector, state },
    { ref, state },
    { role, name, nth, state },
    { url },
    { loadState },
    { fn },
    { stable },
    { response },
  ];
  return single.filter((condition) =>
    Object.entries(condition).some(([key, value]) => key !== 'state' && value !== undefined),
  );
}

/** Settles when one condition holds. Throws what ends the budget, REF_UNKNOWN, REF_STALE_DOCUMENT, BAD_REQUEST. */
export function waitFor(context: ActionContext, condition: WaitCondition): Promise<void> {
  const { tab, budget } = context;
  if (condition.timeMs !== undefined)
    return budget.during(`${condition.timeMs} ms to pass`, () => budget.pause(condition.timeMs ?? 0));
  if (condition.url !== undefined) return forUrl(tab, budget, condition.url);
  if (condition.response !== undefined) return forResponse(tab.watch.requests, budget, condition.response);
  if (condition.loadState !== undefined) return tab.page.waitFor(budget, condition.loadState);
  if (condition.fn !== undefined) return forScript(context, condition.fn);
  const { ref, state = 'visible' } = condition;
  if (ref !== undefined) return budget.during(`${ref} to be ${state}`, () => untilElement(budget, tab, ref, state));
  if (condition.role !== undefined) return forRole(context, { ...condition, role: condition.role });
  return budget.during(labelOf(condition), () => untilPage(budget, tab, condition));
}

/** It need not be there yet, and may be replaced on the way: the page is read again until the condition holds. */
async function forRole(
  context: ActionContext,
  { role, name, nth = 0, state = 'visible' }: WaitCondition & { role: string },
): Promise<void> {
  const { budget, tab } = context;
  const gone = state === 'hidden' || state === 'detached';
  const label = `${role}${name === undefined ? '' : ` ${JSON.stringify(name.slice(0, 80))}`} to be ${state}`;
  const look = async (): Promise<void> => {
    for (;;) {
      try {
        const { ref } = await tab.snapshots.findByRole(budget, { role, name, nth }, label);
        return await waitFor(context, { ref, state });
      } catch (error) {
        if (!(error instanceof WheelhouseError) || error.code !== 'NODE_GONE') throw error;
        if (gone) return;
      }
      await budget.pause(LOOK_AGAIN_MS);
    }
  };
  await budget.during(label, look);
}

async function forUrl(tab: Tab, budget: Budget, glob: string): Promise<void> {
  if (matchesGlob(tab.page.url, glob)) return;
  await tab.page.onChange.waitFor(budget, `the address ${glob}`, () => matchesGlob(tab.page.url, glob) || undefined);
}

/**
 * The loop runs in the page, so one evaluation waits for the whole condition and ends by its deadline as any script
 * does (EV3).
 */
async function forScript(context: ActionContext, fn: string): Promise<void> {
  const { tab, budget, checkEvaluate } = context;
  checkEvaluate();
  await acrossDocuments(tab, budget, () =>
    tab.evaluator.run(budget, { fn: untilTrue(fn, budget.remainingMs()), args: [], name: scriptName(context) }),
  );
}

/** A navigation ends what waits in the old document; the wait goes on in the new one. */
async function acrossDocuments(tab: Tab, budget: Budget, attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const { loaderId } = tab.page.document;
    try {
      await budget.race(attempt());
      return;
    } catch (error) {
      budget.check();
      if (!isNavigation(error) || tab.sessions.bulk.ended) throw error;
      if (tab.page.document.loaderId === loaderId)
        await tab.page.onDocument.waitFor(budget, 'the next page', (_, main) => main || undefined);
    }
  }
}

function isNavigation(error: unknown): boolean {
  return error instanceof CdpError
    ? /navigated|context|destroyed|frame/i.test(error.detail)
    : error instanceof WheelhouseError && error.code === 'ABORTED';
}

function labelOf(condition: WaitCondition): string {
  if (condition.text !== undefined) return `the text "${condition.text.slice(0, 80)}"`;
  if (condition.textGone !== undefined) return `the text "${condition.textGone.slice(0, 80)}" to go`;
  if (condition.stable !== undefined) return `${condition.stable.quietMs} ms without a change`;
  return `${condition.selector ?? 'the element'} to be ${condition.state ?? 'visible'}`;
}

function firstReason(error: unknown): never {
  throw error instanceof AggregateError ? error.errors[0] : error;
}
