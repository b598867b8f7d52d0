import type { Site } from './sites';

/**
 * The name of the sign-in cookie. It contains the port, because cookies are not scoped by port; over TLS the `__Host-`
 * prefix keeps other hosts from setting one (T1).
 */
export function cookieName(site: { readonly secure: boolean }, port: number): string {
  return site.secure ? '__Host-wh' : `wh_${port}`;
}

/** The name of the cookie by which a browser is known that somebody signed in with before (T15). */
export function knownCookieName(site: { readonly secure: boolean }, port: number): string {
  return site.secure ? '__Host-wh-known' : `wh_known_${port}`;
}

/** The name of the cookie of a browser that is at the provider. */
export function providerCookieName(site: { readonly secure: boolean }, port: number): string {
  return site.secure ? '__Host-wh-oidc' : `wh_oidc_${port}`;
}

/** The name of the cookie of a link's guests. Ids of links are random, so the name needs no port. */
export function linkCookieName(site: { readonly secure: boolean }, link: string): string {
  return site.secure ? `__Host-wh_link_${link}` : `wh_link_${link}`;
}

/** A `Set-Cookie` value. `maxAgeSeconds` 0 removes the cookie. */
export function setCookie(site: Pick<Site, 'secure'>, name: string, token: string, maxAgeSeconds: number): string {
  const secure = site.secure ? '; Secure' : '';
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** All values of `name` in a `Cookie` header; several mean that another site or host set one. */
export function readCookies(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
