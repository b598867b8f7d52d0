import { isLoopback } from '@/server/config/loopback';

/**
 * One address under which this server may be reached: `origin` as a browser spells it, `host` as it stands in the Host
 * header.
 */
export interface Site {
  readonly origin: string;
  readonly host: string;
  readonly secure: boolean;
}

export interface ListenAddress {
  /** The address really bound, without brackets. */
  readonly host: string;
  /** The port really bound, never 0. */
  readonly port: number;
  readonly publicUrl: URL | undefined;
}

/**
 * Every site of this server: the public one when there is one, and the loopback names of the bound port. The first is
 * the one to print.
 */
export function sitesOf({ host, port, publicUrl }: ListenAddress): readonly Site[] {
  const names = isLoopback(host) ? new Set([host, '127.0.0.1', 'localhost', '::1']) : new Set([host]);
  const local = [...names].map((name) => siteOf(new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)));
  return publicUrl ? [siteOf(publicUrl), ...local] : local;
}

/** URL does the spelling: no default port, lower case, IPv6 in brackets. */
function siteOf(url: URL): Site {
  return { origin: url.origin, host: url.host, secure: url.protocol === 'https:' };
}
