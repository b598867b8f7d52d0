/** How safe the connection to a page is, as far as its address tells. */
export type UrlSafety = 'secure' | 'local' | 'insecure' | 'none';

export interface UrlParts {
  readonly safety: UrlSafety;
  /** The scheme, only where it matters: `http://`. */
  readonly scheme: string;
  /** The host with its port: the only part that a page cannot choose freely. */
  readonly host: string;
  readonly rest: string;
}

/**
 * Splits a page's address for display. The host is in ASCII (punycode), the rest stays encoded, so that nothing in it
 * can pose as a host.
 */
export function urlParts(url: string): UrlParts {
  if (!URL.canParse(url)) return { safety: 'none', scheme: '', host: '', rest: url };
  const { protocol, host, hostname, pathname, search, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return { safety: 'none', scheme: '', host: '', rest: url };
  const rest = `${pathname === '/' && search === '' && hash === '' ? '' : pathname}${search}${hash}`;
  if (protocol === 'https:') return { safety: 'secure', scheme: '', host, rest };
  return isLocal(hostname)
    ? { safety: 'local', scheme: '', host, rest }
    : { safety: 'insecure', scheme: 'http://', host, rest };
}

/** True for loopback hosts (RFC 6761, RFC 1122): requests do not leave the machine. */
function isLocal(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127(\.\d{1,3}){3}$/u.test(hostname) ||
    hostname === '[::1]'
  );
}
