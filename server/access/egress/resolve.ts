import { BoundedMap } from '@/lib/async/bounded-map';
import { LATE, within } from '@/lib/async/within';
import { monotonicClock } from '@/lib/budget/clock';
import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isLocalName, isAddress, plainHost } from './address';
import { EGRESS_LIMITS } from './limits';

/** Resolves a name to all its addresses. Throws when there is none. */
export type Resolver = (name: string) => Promise<readonly string[]>;

/** The name services; tests replace the system's. */
interface NameServices {
  readonly hostsFile?: string;
  /** Name servers, `address:port`. */
  readonly servers?: readonly string[];
  /** The system's resolver. A lookup occupies one of the process's four threads. */
  readonly system?: (name: string) => Promise<readonly string[]>;
}

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** Error codes that mean: the name servers do not know the name, or there are none. */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks the hosts file, then the name servers, then the system, which knows search domains and mDNS. System lookups take
 * turns, and names that the name servers leave unanswered skip them: otherwise a page could block the threads that all
 * sessions' files need. Reads the list of name servers for each lookup, because a laptop changes networks.
 */
export function systemResolver({
  hostsFile = HOSTS_FILE,
  servers,
  system = addressesBySystem,
}: NameServices = {}): Resolver {
  const turns = new ResolverSlots(EGRESS_LIMITS.systemNames);
  return async (name) => {
    const plain = plainHost(name);
    const own = await inHostsFile(hostsFile, plain);
    if (own.length > 0) return own;
    if (plain.includes('.') && !plain.endsWith('.local')) {
      const { found, unknown } = await byServers(name, servers);
      if (found.length > 0) return found;
      if (!unknown) throw new Error(`The name servers do not answer for ${name}.`);
    }
    return turns.take(() => system(name));
  };
}

async function addressesBySystem(name: string): Promise<string[]> {
  return (await dns.lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);
}

async function inHostsFile(file: string, name: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const rows = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return rows.flatMap(([address = '', ...names]) =>
    isAddress(address) && names.some((one) => plainHost(one) === name) ? [address] : [],
  );
}

async function byServers(
  name: string,
  servers: readonly string[] | undefined,
): Promise<{ readonly found: readonly string[]; readonly unknown: boolean }> {
  const resolver = new dns.Resolver({ timeout: EGRESS_LIMITS.resolveMs / 4, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return {
    found,
    unknown: answers.every((answer) => answer.status === 'fulfilled' || UNKNOWN.has(codeOf(answer.reason))),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Runs at most `free` lookups at once. A lookup that waits longer than `resolveMs` for its turn fails. */
class ResolverSlots {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async take<T>(work: () => Promise<T>): Promise<T> {
    const late = AbortSignal.timeout(EGRESS_LIMITS.resolveMs);
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      late.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

interface Known {
  readonly addresses: Promise<readonly string[]>;
  readonly until: number;
}

/** Resolves literals and local names itself, other names by `ask`, and caches those for `namesMs`. */
export class DnsCache {
  readonly #known = new BoundedMap<string, Known>(EGRESS_LIMITS.names);

  constructor(
    private readonly ask: Resolver,
    private readonly now: () => number,
  ) {}

  /** Throws when the name has no address, or none within the limit. */
  async resolve(host: string): Promise<readonly string[]> {
    const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    if (isAddress(name)) return [name];
    if (isLocalName(name)) return ['127.0.0.1', '::1'];
    const known = this.#known.get(name);
    if (known && known.until > this.now()) return known.addresses;
    const addresses = inTime(this.ask(name), name);
    this.#keep(name, addresses);
    try {
      const found = await addresses;
      if (found.length > 0) return found;
      throw new Error(`No address for ${name}.`);
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }

  #keep(name: string, addresses: Promise<readonly string[]>): void {
    this.#known.set(name, { addresses, until: this.now() + EGRESS_LIMITS.namesMs });
  }
}

async function inTime<T>(work: Promise<T>, name: string): Promise<T> {
  const found = await within(monotonicClock, EGRESS_LIMITS.resolveMs, work);
  if (found === LATE) throw new Error(`The name service says nothing about ${name}.`);
  return found;
}
