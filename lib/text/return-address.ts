/**
 * Where a sign-in leads: a path of our own site, with its query. A text that a browser could read as an address of
 * another site gives `/` (`//host`, `/\host`, tabs and newlines that it drops).
 * @param to the `to` of a sign-in page's address
 */
export function returnAddress(to: string | null | undefined): string {
  if (to === null || to === undefined || !to.startsWith('/') || UNSAFE.test(to)) return '/';
  const base = 'http://here.invalid';
  if (!URL.canParse(to, base)) return '/';
  const url = new URL(to, base);
  return url.origin === base && !PUBLIC.test(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : '/';
}

const UNSAFE = /^\/\/|[\\\p{Cc}]/u;
/** Pages that lead nowhere after a sign-in, or back to it, and what is no page. */
const PUBLIC = /^\/+(?:sign-in|api|_next|socket\.io)(?:\/|$)|^\/\//;
