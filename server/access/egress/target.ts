import { parseUrl } from '@/lib/text/url';

/** Where a request is to go. `host`: as the WHATWG parser spells it, IPv6 in brackets. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
  /** What stands in the Host header. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  /** Of an http request; a tunnel has none. */
  readonly url?: string;
}

const HTTP_PORT = 80;

/** Of a request in absolute form (RFC 9112, 3.2.2). Every spelling of an address comes out as one (T2). */
export function targetOfUrl(text: string | undefined): EgressTarget | undefined {
  const url = parseUrl(text ?? '');
  if (url?.protocol !== 'http:' && url?.protocol !== 'ws:') return undefined;
  const { hostname: host, host: authority, pathname, search } = url;
  return {
    host,
    port: url.port === '' ? HTTP_PORT : Number(url.port),
    authority,
    path: pathname + search,
    url: `${url.origin}${pathname}${search}`,
  };
}

/** Of CONNECT: `host:port` and nothing else. */
export function targetOfTunnel(text: string | undefined): EgressTarget | undefined {
  const port = /:(\d{1,5})$/.exec(text ?? '')?.[1];
  const url = parseUrl(`http://${text ?? ''}`);
  if (!url || port === undefined || url.href !== `http://${url.host}/` || Number(port) === 0) return undefined;
  return { host: url.hostname, port: Number(port), authority: url.host, path: '' };
}
