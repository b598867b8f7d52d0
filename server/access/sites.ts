import { isLoopback } from '@/server/config/loopback';

/** One address of this server: `origin` in the browser's spelling, `host` as in the Host header. */
export interface Site {
  readonly origin: string;
  readonly host: string;
  readonly secure: boolean;
}

export interface ListenAddress {
  /** The bound address, without brackets. */
  readonly host: string;
  /** The bound port, never 0. */
  readonly port: number;
  readonly publicUrl: URL | undefined;
}

/**
 * All sites of this server: the public one, if set, and the loopback names of the bound port. The server prints the
 * first.
 */
export function sitesOf({ host, port, publicUrl }: ListenAddress): readonly Site[] {
  const names = isLoopback(host) ? new Set([host, '127.0.0.1', 'localhost', '::1']) : new Set([host]);
  const local = [...names].map((name) => siteOf(new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)));
  return publicUrl ? [siteOf(publicUrl), ...local] : local;
}

/** URL normalizes: no default port, lower case, IPv6 in brackets. */
function siteOf(url: URL): Site {
  return { origin: url.origin, host: url.host, secure: url.protocol === 'https:' };
}
