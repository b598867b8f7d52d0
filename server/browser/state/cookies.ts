import { WheelhouseError } from '@/lib/errors/error';
import type { CookieParam, CookieView } from '@/lib/state/cookies';
import { cleanText } from '@/lib/text/clean';
import { parseUrl } from '@/lib/text/url';
import { CdpError } from '@/server/cdp/protocol';
import type { Cookie } from '@/server/cdp/shapes/objects';
import type { CdpSession } from '@/server/cdp/session';
import type { Write } from '../write';

/**
 * Reads and sets cookies, which belong to the browser context and so to all tabs of a session (PS3). Source:
 * Network.getAllCookies, setCookies, deleteCookies, clearBrowserCookies.
 */

/** Uses the deprecated command, since `Storage.getCookies` of a page answers for the default context (Chromium 156). */
export async function readCookies(session: CdpSession, urls: readonly string[] | undefined): Promise<Cookie[]> {
  const { cookies } = await (urls === undefined
    ? session.send('Network.getAllCookies')
    : session.send('Network.getCookies', { urls: [...urls] }));
  return cookies;
}

const MOST_SHOWN = 4_096;

/** @param values whether the reader may see the values. */
export function cookieView(cookie: Cookie, values: boolean): CookieView {
  const { name, value, domain, path, expires, size, httpOnly, secure, sameSite, session } = cookie;
  return {
    name: cleanText(name, MOST_SHOWN),
    ...(values ? { value } : {}),
    domain,
    path: cleanText(path, MOST_SHOWN),
    ...(session ? {} : { expires }),
    size,
    httpOnly,
    secure,
    ...(sameSite === undefined ? {} : { sameSite }),
  };
}

/** Throws BAD_REQUEST when Chrome refuses a cookie, for example `__Host-` without `secure`. */
export async function setCookies(write: Write, tabUrl: string, cookies: readonly CookieParam[]): Promise<void> {
  const home = parseUrl(tabUrl);
  const placed = cookies.map((cookie) => {
    if (cookie.url !== undefined || cookie.domain !== undefined) return cookie;
    if (home?.protocol === 'http:' || home?.protocol === 'https:') return { ...cookie, url: home.href };
    throw new WheelhouseError(
      'BAD_REQUEST',
      `The cookie "${cookie.name.slice(0, 100)}" needs a "url" or a "domain": this tab shows no page.`,
    );
  });
  await refused(write('Network.setCookies', { cookies: placed }));
}

export interface CookieFilter {
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly path?: string | undefined;
}

/** Deletes the matching cookies; returns how many there were. */
export async function clearCookies(
  write: Write,
  present: readonly Cookie[],
  { name, domain, path }: CookieFilter,
): Promise<number> {
  const fitting = present.filter(
    (cookie) =>
      (name === undefined || cookie.name === name) &&
      (domain === undefined || bare(cookie.domain) === bare(domain)) &&
      (path === undefined || cookie.path === path),
  );
  if (fitting.length === present.length) await write('Network.clearBrowserCookies');
  else
    for (const cookie of fitting)
      await write('Network.deleteCookies', {
        name: cookie.name,
        domain: cookie.domain,
        path: cookie.path,
        ...(cookie.partitionKey ? { partitionKey: cookie.partitionKey } : {}),
      });
  return fitting.length;
}

function bare(domain: string): string {
  return domain.replace(/^\./u, '').toLowerCase();
}

async function refused<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    throw new WheelhouseError('BAD_REQUEST', `Chrome does not take these cookies: ${error.detail}.`, {
      hint: 'Check domain, path, and that Secure and __Host- cookies fit their address.',
      cause: error,
    });
  }
}
