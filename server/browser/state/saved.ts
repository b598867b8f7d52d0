import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { SavedCookie, SavedOrigin } from '@/lib/state/saved';
import { CdpError } from '@/server/cdp/protocol';
import type { Cookie } from '@/server/cdp/shapes/objects';
import type { CdpSession } from '@/server/cdp/session';
import type { ChromeBrowser } from '../chrome-browser';
import type { Tab } from '../tab';
import { originOf, placeOf, readStorage } from './storage';

/**
 * Reads and restores the state of a context that outlives its Chrome (BR5). Source: Storage.getCookies,
 * Storage.setCookies, DOMStorage, Fetch.
 */

/** The cookies of a context, including session cookies. Never asks a page. */
export async function readSavedCookies(
  budget: Budget,
  browser: ChromeBrowser,
  browserContextId: string,
): Promise<SavedCookie[]> {
  const { cookies } = await budget.during('the cookies of the session', () =>
    browser.lanes.bulk.browser.send('Storage.getCookies', { browserContextId }),
  );
  return cookies.map(savedCookie);
}

function savedCookie({
  name,
  value,
  domain,
  path,
  secure,
  httpOnly,
  sameSite,
  priority,
  sourceScheme,
  sourcePort,
  partitionKey,
  session,
  expires,
}: Cookie): SavedCookie {
  return {
    name,
    value,
    domain,
    path,
    secure,
    httpOnly,
    sameSite,
    priority,
    sourceScheme,
    sourcePort,
    partitionKey,
    ...(session ? {} : { expires }),
  };
}

/**
 * Local storage of the document that a tab shows; undefined when it has none, must not be saved, or does not answer.
 */
export async function readSavedOrigin(budget: Budget, tab: Tab): Promise<SavedOrigin | undefined> {
  const { bulk } = tab.sessions;
  try {
    const place = await placeOf(budget, bulk, tab.page.document.frameId, 'local');
    const entries = await readStorage(budget, bulk, place);
    return { origin: originOf(place), entries: entries.map(([key, value]) => [key, value]) };
  } catch (error) {
    // The document has no storage, went away, or is busy: what was read of it before is kept.
    if (!(error instanceof CdpError || error instanceof WheelhouseError)) throw error;
    if (budget.over) tab.hangMonitor.doubt();
    return undefined;
  }
}

/**
 * Restores what was saved into a new context, before any of its pages loads. Leaves out what Chrome refuses: a cookie
 * that has expired or that a newer Chrome rejects must not cost the others. Throws BROWSER_DOWN, TIMEOUT.
 */
export async function restoreSaved(
  budget: Budget,
  browser: ChromeBrowser,
  browserContextId: string,
  { cookies, origins }: { cookies: readonly SavedCookie[]; origins: readonly SavedOrigin[] },
): Promise<void> {
  await giveCookies(budget, browser, browserContextId, cookies);
  const wanted = origins.filter(({ entries }) => entries.length > 0);
  if (wanted.length === 0) return;
  const targetId = await browser.openPage(budget, browserContextId);
  const session = await budget.race(browser.lanes.bulk.attach(targetId));
  try {
    await giveOrigins(budget, session, wanted);
  } finally {
    await browser.dropPage(targetId);
  }
}

async function giveCookies(
  budget: Budget,
  browser: ChromeBrowser,
  browserContextId: string,
  cookies: readonly SavedCookie[],
): Promise<void> {
  if (cookies.length === 0) return;
  const set = (some: readonly SavedCookie[]): Promise<unknown> =>
    budget.race(browser.lanes.bulk.browser.send('Storage.setCookies', { browserContextId, cookies: [...some] }));
  try {
    await set(cookies);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    for (const cookie of cookies) await set([cookie]).catch(passUnless(CdpError));
  }
}

/**
 * Opens each origin in an empty page of ours, so that nothing of the site runs and the site gets no request. Chromium
 * 156 changes the address of an HSTS-preloaded site to https by itself; such an http origin is left out.
 */
async function giveOrigins(budget: Budget, session: CdpSession, origins: readonly SavedOrigin[]): Promise<void> {
  session.on(
    'Fetch.requestPaused',
    ({ requestId }) =>
      void session.sendMayFail('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'text/html' }],
        body: '',
      }),
  );
  await budget.race(session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }));
  for (const { origin, entries } of origins) {
    const { errorText } = await budget.race(session.send('Page.navigate', { url: `${origin}/` }));
    if (errorText === undefined)
      await budget.race(
        session.send('Runtime.evaluate', {
          expression: `(${fillStorage})(${JSON.stringify(origin)}, ${JSON.stringify(entries)})`,
        }),
      );
  }
}

/** Runs in the empty page. */
const fillStorage = `(origin, entries) => { if (location.origin === origin) for (const [key, value] of entries) localStorage.setItem(key, value); }`;

function passUnless(kind: typeof CdpError): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof kind)) throw error;
  };
}
