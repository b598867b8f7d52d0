/** How safe the way to a page is, as far as its address tells. */
export type UrlSafety = 'secure' | 'local' | 'insecure' | 'none';

export interface UrlParts {
  readonly safety: UrlSafety;
  /** Before the host, shown only where it matters: `http://`. */
  readonly scheme: string;
  /** The host with its port: the only part that a page cannot make look like another. */
  readonly host: string;
  readonly rest: string;
}

/**
 * Takes a page's address apart for showing. The host comes in ASCII (punycode), the rest stays encoded: nothing in it
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

/** Loopback (RFC 6761, RFC 1122): what is sent does not leave the machine. */
function isLocal(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127(\.\d{1,3}){3}$/u.test(hostname) ||
    hostname === '[::1]'
  );
}
