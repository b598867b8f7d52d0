import { isLoopback } from './loopback';
import type { Variable } from './variables';
import * as table from './variables';

/** The settings that decide who can reach the server, and how safely. */
export interface Reach {
  /** The bound address, without brackets. */
  readonly host: string;
  readonly publicUrl: URL | undefined;
  /** Paths of TLS_CERT and TLS_KEY. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly trustedHops: number;
  /** Chrome would run without its sandbox, and the operator did not ask for that. */
  readonly sandboxLost: boolean;
}

/** A variable that is missing or does not fit the others. */
export interface Misfit extends Pick<Variable<unknown>, 'name' | 'wrong' | 'cure'> {
  readonly shown: string;
}

/** Can people on other computers reach this server: directly, or by its public address? */
export function isBeyondLoopback({ host, publicUrl }: Pick<Reach, 'host' | 'publicUrl'>): boolean {
  return !isLoopback(host) || (publicUrl !== undefined && !isLoopback(publicUrl.hostname));
}

/** The first setting that does not fit the others; undefined: the server may start. */
export function misfitOf(reach: Reach): Misfit | undefined {
  return tlsMisfit(reach) ?? (isBeyondLoopback(reach) ? beyondMisfit(reach) : undefined);
}

function tlsMisfit({ cert, key, publicUrl }: Reach): Misfit | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) return { ...table.TLS_CERT, shown: '', wrong: 'is missing beside TLS_KEY' };
  if (key === undefined) return { ...table.TLS_KEY, shown: '', wrong: 'is missing beside TLS_CERT' };
  if (publicUrl === undefined) return missing(table.PUBLIC_URL, 'TLS_CERT is, whose certificate is for a name');
  return isHttps(publicUrl) ? undefined : plain(publicUrl, 'TLS_CERT makes this server speak https');
}

/** Sign-ins must not cross the network in clear text, nor a page that breaks out of Chrome reach the people's data. */
function beyondMisfit({ host, publicUrl, cert, trustedHops, sandboxLost }: Reach): Misfit | undefined {
  if (publicUrl === undefined) return missing(table.PUBLIC_URL, `HOST "${host}" lets other computers in`);
  if (!isHttps(publicUrl)) return plain(publicUrl, `HOST "${host}" lets other computers in`);
  if (cert === undefined && trustedHops === 0)
    return {
      name: 'TLS_CERT',
      shown: '',
      wrong: `is not set, so that sign-ins to ${publicUrl.origin} would cross the network in clear text`,
      cure: 'set TLS_CERT and TLS_KEY, or TRUSTED_HOPS=1 when a proxy of yours in front speaks https',
    };
  if (sandboxLost)
    return {
      name: 'CHROME_NO_SANDBOX',
      shown: '',
      wrong: 'is not set, and as root Chrome runs without its sandbox, on a server that other computers can reach',
      cure: 'run as an ordinary user, or set CHROME_NO_SANDBOX=1 to accept that',
    };
  return undefined;
}

const isHttps = (url: URL): boolean => url.protocol === 'https:';

function missing({ name, cure }: Variable<unknown>, why: string): Misfit {
  return { name, shown: '', wrong: `is not set, but ${why}`, cure };
}

function plain(url: URL, why: string): Misfit {
  return { ...table.PUBLIC_URL, shown: ` "${url.origin}"`, wrong: `is not https, but ${why}` };
}
