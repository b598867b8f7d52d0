import { promises as dns } from 'node:dns';
import { isLocalName, isAddress, plainHost } from './address';
import { EGRESS_LIMITS } from './limits';

/** Every address of a name. Throws when there is none. */
export type Resolver = (name: string) => Promise<readonly string[]>;

/**
 * The system's name service. Names with a dot are asked without its threads, of which a process has four: a page that asks for names which
 * never answer would keep the files of all sessions waiting. What that does not know (hosts file, search domains, mDNS) the system is asked for.
 */
export function systemResolver(): Resolver {
  const resolver = new dns.Resolver({ timeout: EGRESS_LIMITS.resolveMs / 4, tries: 2 });
  const system = async (name: string): Promise<string[]> => (await dns.lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);
  return async (name) => {
    if (!plainHost(name).includes('.') || /\.local\.?$/i.test(name)) return system(name);
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    return addresses.length > 0 ? addresses : system(name);
  };
}

interface Known {
  readonly addresses: Promise<readonly string[]>;
  readonly until: number;
}

/** Resolves once: literals and local names by themselves, others by `ask`, whose answers are kept for a moment. */
export class Names {
  readonly #known = new Map<string, Known>();

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
    const addresses = within(EGRESS_LIMITS.resolveMs, this.ask(name), name);
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
    this.#known.delete(name);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= EGRESS_LIMITS.names && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, { addresses, until: this.now() + EGRESS_LIMITS.namesMs });
  }
}

function within<T>(ms: number, work: Promise<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The name service says nothing about ${name}.`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
