import { WheelhouseError } from '@/lib/errors/error';
import { parseUrl } from '@/lib/text/url';

/** Checks where tabs may navigate (GU1); the egress proxy checks what pages load. One per server. */
export interface Guard {
  /** As `checkNavigation`. */
  navigation(url: string): string;
}

export function createGuard(): Guard {
  return { navigation: checkNavigation };
}

const OPEN_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
const BLANK = 'about:blank';

/**
 * Parses an address that a tab may navigate to (GU1, T3): http, https or about:blank, for every caller. Throws
 * NAV_BLOCKED naming the scheme, BAD_REQUEST for text that is no address.
 */
export function checkNavigation(text: string): string {
  const url = parseUrl(text);
  if (!url) throw notAnAddress(text, 'write it in full, for example https://example.com');
  if (OPEN_SCHEMES.has(url.protocol) || url.href === BLANK) return url.href;
  if (looksLikeHost(text)) throw notAnAddress(text, `write it in full, for example ${schemeFor(text)}${text.trim()}`);
  throw new WheelhouseError(
    'NAV_BLOCKED',
    { code: 'schemeBlocked', scheme: url.protocol.slice(0, 40) },
    { details: { scheme: url.protocol.slice(0, 40) } },
  );
}

/**
 * Parses the text of the address bar: adds https to `example.com`, http to `localhost:3000` and bare IP addresses;
 * passes text with a scheme to `checkNavigation`. Throws NAV_BLOCKED or BAD_REQUEST.
 */
export function addressFromText(text: string): string {
  const typed = text.trim();
  if (looksLikeHost(typed)) return checkNavigation(`${schemeFor(typed)}${typed}`);
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) return checkNavigation(typed);
  throw notAnAddress(typed, 'type one like example.com or https://example.com/path');
}

/** Schemes that people paste; keeps `javascript:1` from parsing as host and port. */
const KNOWN_SCHEME =
  /^(?:about|blob|chrome|data|devtools|edge|file|filesystem|ftp|https?|javascript|mailto|tel|vbscript|view-source|wss?):/i;
/**
 * A name with a dot, `localhost`, an IPv4 or bracketed IPv6 address, or any name with a port or path; then optionally a
 * port, path and query.
 */
const HOST =
  /^(?:\[[0-9a-f:.]+\]|localhost|[^\s/?#:@\\]+\.[^\s/?#:@\\]+|[^\s/?#:@\\]+(?=:\d{1,5}(?:[/?#]|$)|\/))(?::\d{1,5})?(?:[/?#]|$)/i;
const PLAIN_HTTP = /^(?:\[|localhost(?![^:/?#])|[^:/?#]+\.localhost(?![^:/?#])|\d{1,3}(?:\.\d{1,3}){3}(?![^:/?#]))/i;

function looksLikeHost(text: string): boolean {
  const typed = text.trim();
  return HOST.test(typed) && !KNOWN_SCHEME.test(typed) && !/\s/.test(typed);
}

function schemeFor(text: string): 'http://' | 'https://' {
  return PLAIN_HTTP.test(text.trim()) ? 'http://' : 'https://';
}

function notAnAddress(text: string, cure: string): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"${text.slice(0, 100)}" is not an address: ${cure}.`, {
    details: { fields: [{ field: 'url', problem: 'is not an address' }] },
  });
}
