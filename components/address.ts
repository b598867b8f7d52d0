/** A typed address, completed, or why it was refused. */
export type TypedAddress =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly why: 'scheme' | 'unreadable' };

const LOCAL = /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d+)?([/?#]|$)/iu;
const HOST_AND_PORT = /^[^/?#:\s]+:\d+([/?#]|$)/u;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/iu;

/**
 * Completes and checks a typed address: `shop.example` means https, `localhost:3000` means http (GU1: http, https and
 * about:blank only). The server checks again; this check serves the message beside the field.
 */
export function readAddress(typed: string): TypedAddress {
  const text = typed.trim();
  if (text === 'about:blank') return { ok: true, url: text };
  const bare = !HAS_SCHEME.test(text) || HOST_AND_PORT.test(text);
  const full = bare ? `${LOCAL.test(text) ? 'http' : 'https'}://${text}` : text;
  if (text === '' || /\s/u.test(text) || !URL.canParse(full)) return { ok: false, why: 'unreadable' };
  const url = new URL(full);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, why: 'scheme' };
  return { ok: true, url: url.href };
}

/**
 * Host of a page's URL for display: with its port, without `www.`; empty for other schemes, such as about:blank and
 * Chrome's error page.
 */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? host.replace(/^www\./u, '') : '';
}

/**
 * Host and path of a page's URL for display, without the query; undefined for about:blank; other addresses unchanged.
 */
export function placeOf(url: string): string | undefined {
  if (url === '' || url === 'about:blank') return undefined;
  const host = hostOf(url);
  if (host === '') return url;
  const { pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`.slice(0, MOST_PLACE);
}

const MOST_PLACE = 120;
