import type { DialogView } from '@/lib/actions/reply';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { saidOfNetError } from '@/lib/said/net-error';
import type { Budget } from '@/lib/budget/budget';
import { dialogError } from '@/server/browser/dialogs';
import type { Tab } from '@/server/browser/tab';
import { defineAction, type ActionContext, type Outcome } from './context';

/** Time that a script may take to stop before it is navigated away from; milliseconds (EV4). */
const UNHANG_MS = 500;
/** A page that does not answer for so long is stuck, though nobody has noticed yet: nobody watches it. Milliseconds (CO9). */
const PATIENCE_MS = 2_500;

export const navigate = defineAction({
  kind: 'navigate',
  settles: false,
  queued: true,
  run: async (context, action) => {
    if (action.newTab === true) return openInNewTab(context, context.checkUrl(action.url));
    return openUrl(context, action.url, action.waitUntil ?? 'load');
  },
});

/** Opens an address in the action's own tab, where the guard allows it. Throws NAV_BLOCKED, NAV_FAILED. */
export async function openUrl(context: ActionContext, address: string, until: NonNullable<ActionOf<'navigate'>['waitUntil']>): Promise<Outcome> {
  const url = context.checkUrl(address);
  const warnings = await freeIfStuck(context);
  await goTo(context, url, until);
  return { value: { url: context.tab.url }, warnings };
}

export const history = defineAction({
  kind: 'history',
  settles: false,
  queued: true,
  run: async (context, action) => {
    const warnings = await freeIfStuck(context);
    if (action.go === 'reload') await reload(context, action);
    else await step(context, action.go === 'back' ? -1 : 1);
    return { value: { url: context.tab.url }, warnings };
  },
});

async function openInNewTab({ tabs, budget }: ActionContext, url: string): Promise<Outcome> {
  const opened = await tabs.open(budget, url, undefined);
  return { value: { tab: opened.id, url } };
}

/** A page that hangs takes no navigation to the same site: its script is ended first (cdp-facts "Scripts that hang"). */
async function freeIfStuck(context: ActionContext): Promise<string[]> {
  const { tab, budget, write } = context;
  if (tab.dialogs.current) return [await dismissed(context, tab.dialogs.current)];
  if (tab.page.awaited !== undefined) await write('Page.stopLoading');
  if (!(await isStuck(tab, budget))) return [];
  const freed = await tab.unhang(budget, UNHANG_MS);
  return freed ? ['A running script was stopped first.'] : ['A script was running and did not stop.'];
}

const ASKS_ON = 'Go on in a page of its own: {"kind":"remedy","do":"restart"}, or in a new tab: {"kind":"tab","do":"open"}.';

/** A page that asks again and again is not left: nothing ends its script (Chromium 156), and the tab would be lost with the next page on its way. Throws DIALOG_OPEN. */
async function dismissed({ tab, budget }: ActionContext, dialog: DialogView): Promise<string> {
  if (dialog.type === 'beforeunload') throw dialogError(dialog);
  const no = { accept: false };
  tab.dialogs.arm(no);
  const off = tab.dialogs.onOpen.on(() => void tab.dialogs.arm(no));
  try {
    await budget.race(tab.dialogs.answer(dialog.id, no));
    if (await budget.race(tab.sentinel.answers(UNHANG_MS))) return 'The open dialog was dismissed first.';
    throw new WheelhouseError('DIALOG_OPEN', 'The page asks again and again, so that it cannot be left.', { hint: ASKS_ON, details: { dialog } });
  } finally {
    off();
    tab.dialogs.arm(undefined);
  }
}

/** Asks the page itself: once the next one is on its way, nothing ends its script any more, and the tab is lost (Chromium 156). */
async function isStuck(tab: Tab, budget: Budget): Promise<boolean> {
  const { state } = tab.health;
  if (state !== 'ready' && state !== 'loading') return state === 'hung';
  return !(await budget.during('the page to answer', () => tab.sentinel.answers(Math.min(PATIENCE_MS, budget.remainingMs() / 2))));
}

/** Throws NAV_FAILED. */
export async function goTo({ tab, budget, write }: ActionContext, url: string, until: NonNullable<ActionOf<'navigate'>['waitUntil']>): Promise<void> {
  const committed = nextDocument(tab);
  try {
    const answer = await budget.during(`the address to answer: ${url}`, () => write('Page.navigate', { url }));
    if (answer.errorText !== undefined && answer.isDownload !== true) throw failed(url, answer.errorText);
    // The same document (only the fragment changed) has no new loader.
    if (answer.loaderId === undefined || answer.isDownload === true) return;
    await arrived(tab, budget, answer.loaderId, until, committed.promise);
  } finally {
    committed.stop();
  }
}

async function arrived(tab: Tab, budget: Budget, loaderId: string, until: NonNullable<ActionOf<'navigate'>['waitUntil']>, committed: Promise<string>): Promise<void> {
  if (tab.page.document.loaderId !== loaderId) await budget.during('the new page to begin', () => committed);
  // A redirect by script may have replaced it already; what is there now is what the caller gets.
  await tab.page.waitFor(budget, until);
}

export async function reload({ tab, budget, write }: ActionContext, action: ActionOf<'history'>): Promise<void> {
  const committed = nextDocument(tab);
  try {
    await write('Page.reload', { ignoreCache: action.ignoreCache ?? false });
    await budget.during('the page to begin again', () => committed.promise);
    await tab.page.waitFor(budget, 'load');
  } finally {
    committed.stop();
  }
}

const OPEN_INSTEAD = 'Open an address instead: {"kind":"navigate","url":"https://…"}.';

async function step({ tab, budget, write }: ActionContext, by: -1 | 1): Promise<void> {
  const { entries, currentIndex } = await budget.race(tab.sessions.commands.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex + by];
  if (!entry) throw new WheelhouseError('NAV_FAILED', { code: by === -1 ? 'noEarlierPage' : 'noLaterPage' }, { hint: OPEN_INSTEAD });
  const committed = nextDocument(tab);
  try {
    const moved = nextAddress(tab);
    await write('Page.navigateToHistoryEntry', { entryId: entry.id });
    await budget.during('the other page to show', () => Promise.race([committed.promise, moved]));
    await tab.page.waitFor(budget, 'load');
  } finally {
    committed.stop();
  }
}

/** The loader of the next main document. */
function nextDocument(tab: Tab): { promise: Promise<string>; stop: () => void } {
  let stop = (): void => undefined;
  const promise = new Promise<string>((resolve) => {
    stop = tab.page.onDocument.on((document, main) => {
      if (main) resolve(document.loaderId);
    });
  });
  return { promise, stop };
}

/** Settles when the address changes within the document, as going back over a fragment does. */
function nextAddress(tab: Tab): Promise<string> {
  const before = tab.page.url;
  return new Promise((resolve) => {
    const off = tab.page.onChange.on(() => {
      if (tab.page.url === before) return;
      off();
      resolve(tab.page.url);
    });
  });
}

function failed(url: string, error: string): WheelhouseError {
  return new WheelhouseError('NAV_FAILED', saidOfNetError(url, error), { details: { url, error } });
}
