import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Budget } from '@/lib/budget/budget';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { ruleAgainst, ruleAgainstName, type PrivateRanges } from '../egress/address';
import { DnsCache, type Resolver } from '../egress/resolve';

/** What a provider may answer. Bytes. */
const ANSWER_BYTES = 262_144;

const NOTHING = { ownPorts: new Set<number>(), debugPorts: new Set<number>() };
const FLOOR = { ...NOTHING, debugEndpoints: new Set<string>(), ownAddresses: new Set<string>() };

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Calls the provider. The operator chose the host of its issuer, which may be on their own network; its discovery
 * document chooses the others, which must be public (T2). Names are resolved once, and every address is checked.
 */
export class Dialer {
  readonly #dns: DnsCache;
  readonly #own: string;

  constructor(resolve: Resolver, { issuer, now }: { readonly issuer: URL; readonly now: () => number }) {
    this.#dns = new DnsCache(resolve, now);
    this.#own = issuer.hostname;
  }

  /**
   * The JSON of an answer and its status; redirects are not followed. Throws what ends the budget, else
   * `ProviderError`.
   */
  async json(budget: Budget, url: URL, ask: Ask): Promise<{ readonly status: number; readonly json: unknown }> {
    const addresses = await budget.race(this.#checked(url));
    const { status, text } = await budget.race(send(budget, url, ask, addresses));
    try {
      return { status, json: JSON.parse(text) };
    } catch (error) {
      throw new ProviderError(`${url.host} answered with status ${status} and no JSON`, error);
    }
  }

  async #checked(url: URL): Promise<readonly string[]> {
    const policy: PrivateRanges = { privateRanges: url.hostname === this.#own ? 'allowed' : 'denied' };
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const addresses = await this.#dns.resolve(url.hostname).catch((error: unknown) => {
      throw new ProviderError(`the name ${url.hostname} has no address`, error);
    });
    const rules = addresses.map((address) => ruleAgainst(address, port, FLOOR, policy));
    const rule = ruleAgainstName(url.hostname, policy) ?? rules.find((one) => one !== undefined);
    if (rule === undefined) return addresses;
    throw new ProviderError(
      rule === 'metadata'
        ? `${url.host} is an address of machine metadata, which is never called`
        : `${url.host} is an address of a private network, and not that of OIDC_ISSUER`,
    );
  }
}

/** What a provider did wrong, in words that complete "The provider cannot be used: …". */
export class ProviderError extends WheelhouseError {
  constructor(what: string, cause?: unknown) {
    super('UNSUPPORTED', `Signing in by the provider does not work at the moment: ${what}.`, {
      hint: 'Try again in a minute. If it stays, tell the owner of this server; other ways to sign in still work.',
      cause,
    });
  }
}

function send(
  { signal }: Budget,
  url: URL,
  { method, headers = {}, body }: Ask,
  addresses: readonly string[],
): Promise<{ status: number; text: string }> {
  const call = url.protocol === 'https:' ? secureRequest : plainRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { method, agent: false, signal, lookup: exactly(addresses) };
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void =>
      reject(error instanceof ProviderError ? error : new ProviderError(`${url.host}: ${messageOf(error)}`, error));
    const request = call(
      url,
      { ...options, headers: { accept: 'application/json', ...headers, ...length } },
      (answer) => void textOf(answer, url).then((text) => resolve({ status: answer.statusCode ?? 0, text }), failed),
    );
    request.on('error', failed);
    request.end(body);
  });
}

/** No second look-up can give another address. (Node does not look up IP addresses, which are their own.) */
function exactly(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first] = found;
  return (_name, options, answer) => {
    if (options.all || !first) answer(null, found);
    else answer(null, first.address, first.family);
  };
}

function textOf(answer: IncomingMessage, { host }: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > ANSWER_BYTES)
        answer.destroy(new ProviderError(`${host} answered with more than ${ANSWER_BYTES} bytes`));
    });
    answer.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    answer.once('error', reject);
  });
}
