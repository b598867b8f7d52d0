import type { Site } from './sites';

/**
 * The name of the sign-in cookie. Cookies are not port-scoped, so the port is in the name; over TLS the `__Host-`
 * prefix keeps other hosts from planting one (T1).
 */
export function cookieName(site: { readonly secure: boolean }, port: number): string {
  return site.secure ? '__Host-wh' : `wh_${port}`;
}

/** A `Set-Cookie` value. `maxAgeSeconds` 0 removes the cookie. */
export function setCookie(site: Site, port: number, token: string, maxAgeSeconds: number): string {
  const secure = site.secure ? '; Secure' : '';
  return `${cookieName(site, port)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Every value that a `Cookie` header gives for `name`; more than one means that another site or host planted one. */
export function readCookies(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
