import { WheelhouseError } from '@/lib/errors/error';
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
  /** The server speaks https itself. */
  readonly tls: boolean;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
/** Addresses that take connections from everywhere, this computer included. */
const ANY_ADDRESS = /^(?:0\.0\.0\.0|[0:]+)$/;

/**
 * All sites of this server: the public one, if set, and the loopback names of the bound port unless the server speaks
 * https, whose certificate is for the public name. Other computers come by the public one only, since plain http would
 * carry their sign-ins in clear text. The server prints the first.
 */
export function sitesOf({ host, port, publicUrl, tls }: ListenAddress): readonly Site[] {
  const names = isLoopback(host) ? new Set([host, ...LOOPBACK]) : ANY_ADDRESS.test(host) ? LOOPBACK : [];
  const local = [...names].map((name) => siteOf(new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)));
  if (!publicUrl) return local;
  return [siteOf(publicUrl), ...(tls ? [] : local)];
}

/** The origin for programs on this computer: plain loopback, where the server has that. */
export function localOrigin(sites: readonly Site[]): string {
  const site = sites.find(({ origin, secure }) => !secure && isLoopback(new URL(origin).hostname)) ?? sites[0];
  if (!site) throw new WheelhouseError('INTERNAL', 'The server does not listen yet.');
  return site.origin;
}

/** URL normalizes: no default port, lower case, IPv6 in brackets. */
function siteOf(url: URL): Site {
  return { origin: url.origin, host: url.host, secure: url.protocol === 'https:' };
}
