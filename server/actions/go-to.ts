import type { Upcoming } from '@/server/browser/emitter';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { navBlocked } from '@/lib/errors/nav-blocked';
import { netErrorMessage } from '@/lib/messages/net-error';
import type { Budget } from '@/lib/budget/budget';
import type { Tab } from '@/server/browser/tab';
import type { Write } from '@/server/browser/write';
import type { ActionContext, HandlerResult } from './context';

/** `usable`: loaded, or, where something of the page does not end, its document ready. */
export type Until = NonNullable<ActionOf<'navigate'>['waitUntil']> | 'usable';

/** How long a document that is ready is waited for until all that belongs to it has come, milliseconds. */
const LOAD_MS = 5_000;
/** Chrome's own error page follows at once. Milliseconds. */
const ERROR_PAGE_MS = 1_000;
const STILL_LOADS = 'The page is ready to be used, but something of it, such as an image, is still loading.';

/** What a navigation needs of the context: the tab with its fenced session. */
export type NavigationContext = Pick<ActionContext, 'budget' | 'files' | 'ending'> & {
  readonly tab: Tab;
  readonly write: Write;
};

/**
 * Chrome announces a download a moment after the navigation that became one, and not at all in the default context of
 * an attached Chrome. Milliseconds.
 */
const DOWNLOAD_MS = 2_000;
const WAIT_FOR_FILE = 'Wait for it with {"kind":"download","do":"wait"}.';

/** Shows an address (guarded already), or tells that it is a file. Throws NAV_FAILED. */
export async function show(going: NavigationContext, url: string, until: Until): Promise<HandlerResult> {
  const mark = going.files.downloads.mark();
  const { as, warnings } = await goTo(going, url, until);
  if (as === 'page') return { value: { url: going.tab.url }, warnings };
  const download = await begun(going, mark);
  const which = download === undefined ? '' : `: ${JSON.stringify(download.name)} (${download.id}) has begun`;
  return {
    value: { url: going.tab.url, ...(download && { download: download.id }) },
    warnings: [`That address is a download, not a page${which}; the tab stays where it was. ${WAIT_FOR_FILE}`],
  };
}

async function begun(
  { budget, tab, files }: NavigationContext,
  mark: number,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  try {
    return (await budget.within(DOWNLOAD_MS, (inner) => files.downloads.begun(inner, tab.id, mark))).view;
  } catch (error) {
    if (budget.over) throw error;
    return undefined;
  }
}

interface NavigationResult {
  /** A file is downloaded while the page stays. */
  readonly as: 'page' | 'download';
  readonly warnings: readonly string[];
}

/** Returns where the navigation ended. Throws NAV_FAILED. */
export async function goTo(
  { tab, budget, write, ending }: Omit<NavigationContext, 'files'>,
  url: string,
  until: Until,
): Promise<NavigationResult> {
  const committed = nextDocument(tab);
  try {
    const answer = await budget.during(`the address to answer: ${url}`, () => write('Page.navigate', { url }));
    if (answer.errorText !== undefined && answer.isDownload !== true)
      throw await failedBy({ tab, budget, ending }, url, answer.errorText, committed.promise);
    if (answer.isDownload === true) return { as: 'download', warnings: [] };
    // The same document (only the fragment changed) has no new loader.
    const warnings =
      answer.loaderId === undefined ? [] : await arrived(tab, budget, answer.loaderId, until, committed.promise);
    demandNotBlocked(tab);
    return { as: 'page', warnings };
  } finally {
    committed.stop();
  }
}

/** Throws NAV_BLOCKED where the tab shows, after redirects too, what no page may reach (GU1). */
export function demandNotBlocked(tab: Tab): void {
  const { current } = tab.tools.block;
  if (current) throw navBlocked(current);
}

/**
 * Chrome only knows that the proxy gave no answer. The rule is looked up by the address of the error page, which after
 * redirects differs from the requested one.
 */
async function failedBy(
  { tab, budget, ending }: Pick<NavigationContext, 'tab' | 'budget' | 'ending'>,
  url: string,
  error: string,
  committed: Promise<string>,
): Promise<WheelhouseError> {
  if (!BY_PROXY.has(error)) return failed(url, error);
  try {
    await budget.within(ERROR_PAGE_MS, () => committed);
  } catch (cause) {
    if (budget.over) throw cause;
  }
  const { current } = tab.tools.block;
  return current ? navBlocked(current) : failed(url, ending(url)?.error ?? error);
}

async function arrived(
  tab: Tab,
  budget: Budget,
  loaderId: string,
  until: Until,
  committed: Promise<string>,
): Promise<string[]> {
  if (tab.page.document.loaderId !== loaderId) await budget.during('the new page to begin', () => committed);
  // A redirect by script may have replaced the page already; the caller gets the present page.
  if (until === 'usable') return usable(tab, budget);
  await tab.page.waitFor(budget, until);
  return [];
}

/** Waits until the page has loaded, or its document is ready and the rest of it does not end; says so then. */
export async function usable(tab: Tab, budget: Budget): Promise<string[]> {
  await tab.page.waitFor(budget, 'domcontentloaded');
  const patience = budget.child(Math.min(LOAD_MS, budget.remainingMs() / 2));
  try {
    await tab.page.waitFor(patience, 'load');
    return [];
  } catch (error) {
    if (budget.over || !patience.over) throw error;
    return [STILL_LOADS];
  } finally {
    patience.dispose();
  }
}

/** The loader of the next main document. */
export function nextDocument(tab: Tab): Upcoming<string> {
  return tab.page.onDocument.next((document, main) => (main ? document.loaderId : undefined));
}

/** What Chrome says where the proxy could not reach a server: of http, and of https. */
const BY_PROXY: ReadonlySet<string> = new Set(['net::ERR_EMPTY_RESPONSE', 'net::ERR_TUNNEL_CONNECTION_FAILED']);

/** What helps where the address itself is right. */
const CURES: Readonly<Record<string, string>> = {
  netSignIn:
    'Give them first: {"kind":"emulate","do":"set","set":{"credentials":{"username":"…","password":"…"}}}, and open it again.',
  netOffline:
    'Take offline back if it is emulated: {"kind":"emulate","do":"set","set":{"offline":null}}; else try again later.',
  netTimedOut: 'Try again later; details carry the network error.',
  netStatus: 'Its status is in GET …/tabs/:t/requests; try another address, or the same one later.',
};

function failed(url: string, error: string): WheelhouseError {
  const said = netErrorMessage(url, error);
  const hint = CURES[said.code];
  return new WheelhouseError('NAV_FAILED', said, { ...(hint === undefined ? {} : { hint }), details: { url, error } });
}
