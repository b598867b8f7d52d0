import type { DialogView } from '@/lib/actions/reply';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { dialogError } from '@/server/browser/dialogs';
import type { Tab } from '@/server/browser/tab';
import { CdpError } from '@/server/cdp/protocol';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { demandNotBlocked, nextDocument, show, usable, type Until } from './go-to';
import { openTab } from './open-tab';

/** Time that a script may take to stop before it is navigated away from; milliseconds (EV4). */
const UNHANG_MS = 500;
/**
 * A page that does not answer for so long is stuck, though nobody has noticed yet: nobody watches it. Milliseconds
 * (CO9).
 */
const PATIENCE_MS = 2_500;

export const navigate = defineAction({
  kind: 'navigate',
  settles: false,
  queued: true,
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

export const history = defineAction({
  kind: 'history',
  settles: false,
  queued: true,
  run: async (context, action) => {
    const warnings = await freeIfStuck(context);
    const more =
      action.go === 'reload' ? await reload(context, action) : await step(context, action.go === 'back' ? -1 : 1);
    demandNotBlocked(context.tab);
    return { value: { url: context.tab.url }, warnings: [...warnings, ...more] };
  },
});

/**
 * A page that hangs takes no navigation to the same site: its script is ended first (cdp-facts "Scripts that hang").
 */
async function freeIfStuck(context: ActionContext): Promise<string[]> {
  const { tab, budget, write } = context;
  if (tab.dialogs.current) return [await dismissed(context, tab.dialogs.current)];
  if (tab.page.awaited !== undefined) await stopAwaiting(write);
  if (!(await isStuck(tab, budget))) return [];
  const freed = await tab.unhang(budget, UNHANG_MS);
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
    if (await budget.race(tab.sentinel.answers(UNHANG_MS))) return 'The open dialog was dismissed first.';
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
    tab.sentinel.answers(Math.min(PATIENCE_MS, budget.remainingMs() / 2)),
  ));
}

export async function reload({ tab, budget, write }: ActionContext, action: ActionOf<'history'>): Promise<string[]> {
  const committed = nextDocument(tab);
  try {
    await write('Page.reload', { ignoreCache: action.ignoreCache ?? false });
    await budget.during('the page to begin again', () => committed.promise);
    return await usable(tab, budget);
  } finally {
    committed.stop();
  }
}

const OPEN_INSTEAD = 'Open an address instead: {"kind":"navigate","url":"https://…"}.';

async function step({ tab, budget, write }: ActionContext, by: -1 | 1): Promise<string[]> {
  const { entries, currentIndex } = await budget.race(tab.sessions.commands.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex + by];
  if (!entry)
    throw new WheelhouseError(
      'NAV_FAILED',
      { code: by === -1 ? 'noEarlierPage' : 'noLaterPage' },
      { hint: OPEN_INSTEAD },
    );
  const committed = nextDocument(tab);
  const before = tab.page.url;
  // Going back over a fragment stays in the document.
  const moved = tab.page.onChange.next(() => tab.page.url !== before || undefined);
  try {
    await write('Page.navigateToHistoryEntry', { entryId: entry.id });
    await budget.during('the other page to show', () => Promise.race([committed.promise, moved.promise]));
    return await usable(tab, budget);
  } finally {
    moved.stop();
    committed.stop();
  }
}
