import type { DialogView } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { dialogError } from '@/server/browser/dialogs';
import { TIMINGS } from '@/server/config/timings';
import { REPLACED_AFTER_MS } from '@/server/browser/hang-monitor';
import type { Tab } from '@/server/browser/tab';
import { CdpError } from '@/server/cdp/protocol';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { show, type Until } from './go-to';
import { openTab } from './open-tab';

export const navigate = defineAction({
  kind: 'navigate',
  settles: false,
  queued: true,
  worksWhenStuck: true,
  replacesPage: () => true,
  run: async (context, action) => {
    const { url, waitUntil = 'usable' } = action;
    return action.newTab === true ? openTab(context, url, undefined, waitUntil) : openUrl(context, url, waitUntil);
  },
});

/** Opens an address in the action's own tab, where the guard allows it. Throws NAV_BLOCKED, NAV_FAILED. */
export async function openUrl(context: ActionContext, address: string, until: Until): Promise<HandlerResult> {
  const url = context.checkUrl(address);
  await context.demandReachable(url);
  const warnings = await freeIfStuck(context);
  const { value, warnings: more = [] } = await show(context, url, until);
  return { value, warnings: [...warnings, ...more] };
}

/**
 * A page that hangs takes no navigation to the same site: its script is ended first (docs/chrome-facts.md, Scripts).
 */
export async function freeIfStuck(context: ActionContext): Promise<string[]> {
  const { tab, budget, write } = context;
  if (tab.dialogs.current) return [await dismissed(context, tab.dialogs.current)];
  if (tab.page.awaited !== undefined) await stopAwaiting(write);
  if (!(await isStuck(tab, budget))) return [];
  const freed = await tab.unhang(budget, REPLACED_AFTER_MS);
  return freed ? ['A running script was stopped first.'] : ['A script was running and did not stop.'];
}

/** Chrome refuses while one page takes the place of another (Chromium 156): then nothing is awaited any more. */
async function stopAwaiting(write: ActionContext['write']): Promise<void> {
  try {
    await write('Page.stopLoading');
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
  }
}

const ASKS_ON =
  'Go on in a page of its own: {"kind":"remedy","do":"restart"}, or in a new tab: {"kind":"tab","do":"open"}.';

/**
 * A page that asks again and again is not left: nothing ends its script (Chromium 156), and the tab would be lost with
 * the next page on its way. Throws DIALOG_OPEN.
 */
async function dismissed({ tab, budget }: ActionContext, dialog: DialogView): Promise<string> {
  if (dialog.type === 'beforeunload') throw dialogError(dialog);
  const no = { accept: false };
  tab.dialogs.arm(no);
  const off = tab.dialogs.onOpen.on(() => void tab.dialogs.arm(no));
  try {
    await budget.race(tab.dialogs.answer(dialog.id, no));
    if (await budget.race(tab.sentinel.answers(REPLACED_AFTER_MS))) return 'The open dialog was dismissed first.';
    throw new WheelhouseError('DIALOG_OPEN', 'The page asks again and again, so that it cannot be left.', {
      hint: ASKS_ON,
      details: { dialog },
    });
  } finally {
    off();
    tab.dialogs.arm(undefined);
  }
}

/**
 * Asks the page itself: once the next one is on its way, nothing ends its script any more, and the tab is lost
 * (Chromium 156).
 */
async function isStuck(tab: Tab, budget: Budget): Promise<boolean> {
  const { state } = tab.health;
  if (state !== 'ready' && state !== 'loading') return state === 'hung';
  return !(await budget.during('the page to answer', () =>
    tab.sentinel.answers(Math.min(TIMINGS.hang.patienceMs, budget.remainingMs() / 2)),
  ));
}
