import { parseUrl } from '@/lib/text/url';

/** The destination of a request. `host` in the WHATWG parser's spelling, IPv6 in brackets. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
  /** The value for the Host header. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  /** The URL of an http request; a tunnel has none. */
  readonly url?: string;
}

const HTTP_PORT = 80;

/** Parses an absolute-form target (RFC 9112, 3.2.2). All spellings of one address give the same result (T2). */
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

/** Parses a CONNECT target: `host:port` only. */
export function targetOfTunnel(text: string | undefined): EgressTarget | undefined {
  const port = /:(\d{1,5})$/.exec(text ?? '')?.[1];
  const url = parseUrl(`http://${text ?? ''}`);
  if (!url || port === undefined || url.href !== `http://${url.host}/` || Number(port) === 0) return undefined;
  return { host: url.hostname, port: Number(port), authority: url.host, path: '' };
}
