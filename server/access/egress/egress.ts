import { BoundedMap } from '@/lib/async/bounded-map';
import { lists, type EgressPolicy } from '@/lib/egress/policy';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import {
  canonical,
  endpointKey,
  isOwnAddress,
  plainHost,
  ruleAgainst,
  ruleAgainstName,
  type DenialRule,
  type PrivateRanges,
  type AlwaysDenied,
} from './address';
import { dial, netErrorOf, type NetError } from './dial';
import { EGRESS_LIMITS } from './limits';
import { EgressListener, type DialResult } from './listener';
import { DnsCache, type Resolver } from './resolve';
import type { EgressTarget } from './target';

/** One request of a page that the proxy denied. */
export interface Denial {
  /** Undefined for a request from no session (`no-session`). */
  readonly session: string | undefined;
  readonly rule: DenialRule;
  readonly host: string;
  readonly port: number;
  /** The URL of an http request; of a tunnel (https, WebSocket) only host and port are known. */
  readonly url?: string;
  /** `CONNECT` for a tunnel. */
  readonly method: string;
  /** ISO time. */
  readonly at: string;
}

/** Whose policy denies an address. */
export type DeniedBy = 'server' | 'workspace' | 'session';

/** A rule that denies a request, and whose it is. */
interface Refusal {
  readonly rule: DenialRule;
  readonly by: DeniedBy;
}

/** The policy of a session, and of the workspace that it is in. */
interface SessionPolicy {
  readonly workspace: string;
  readonly policy: EgressPolicy | undefined;
}

/** Policies that a request must pass beside the server's. */
export interface Policies {
  readonly workspace: EgressPolicy | undefined;
  readonly session: EgressPolicy | undefined;
}

/** Why the last request to a host failed. */
export type RequestFailure = { readonly rule: DenialRule } | { readonly error: NetError };

export interface EgressDeps {
  readonly resolve: Resolver;
  readonly policy: PrivateRanges;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Counts outcomes for the metrics. */
  readonly count: (outcome: 'open' | 'denied' | 'failed') => void;
}

interface EgressPort {
  readonly session: string | undefined;
  readonly port: number;
  readonly listener: EgressListener;
  readonly endings: Map<string, RequestFailure>;
}

interface DebugEndpoint {
  readonly host: string;
  readonly port: number;
  /** All addresses the name ever had; they stay denied while the name cannot be resolved. */
  readonly addresses: Set<string>;
}

/**
 * The only way out of the Chromes that we launch (GU1): one listener per session, and one per Chrome that
 * denies everything. For every request it resolves the target once, checks all addresses and connects to one of them.
 */
export class Egress {
  readonly #names: DnsCache;
  readonly #ports = new Map<string, EgressPort>();
  readonly #ownPorts = new Set<number>();
  readonly #openHere = new Set<number>();
  readonly #debug = new Set<DebugEndpoint>();
  /** Open connections, by the session they serve. */
  readonly #live = new Map<Socket, string | undefined>();
  /** By workspace. */
  readonly #workspaces = new Map<string, EgressPolicy>();
  /** By session. */
  readonly #sessions = new Map<string, SessionPolicy>();
  readonly #listeners = new Set<(denial: Denial) => void>();

  constructor(private readonly deps: EgressDeps) {
    this.#names = new DnsCache(deps.resolve, deps.now);
  }

  /** Returns a function that removes the listener. */
  onDenied(listener: (denial: Denial) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Denies a port of this server to every page from now on. */
  ownPort(port: number): void {
    this.#ownPorts.add(port);
  }

  /**
   * Denies a debugging port to every page from now on and ends open connections to it. The returned function allows it
   * again, for when its Chrome is gone.
   * @param host a name or address, with or without brackets
   */
  debugPort(host: string, port: number): () => void {
    const endpoint: DebugEndpoint = { host: plainHost(host), port, addresses: new Set() };
    this.#debug.add(endpoint);
    void this.#addressesOf(endpoint).then(() => this.#cut(port));
    return () => this.#debug.delete(endpoint);
  }

  /**
   * Opens one loopback port to every page, whatever the policy says of private ranges: the demo's shop. The returned
   * function closes it.
   */
  openHere(port: number): () => void {
    this.#openHere.add(port);
    return () => this.#openHere.delete(port);
  }

  /**
   * Narrows where the pages of a session may go, from its first request on. A change ends its open connections, which
   * come back where they may.
   */
  narrowSession(session: string, policy: SessionPolicy): void {
    if (isDeepStrictEqual(this.#sessions.get(session), policy)) return;
    this.#sessions.set(session, policy);
    for (const [socket, of] of this.#live) if (of === session) socket.destroy();
  }

  /**
   * The session has ended: call it after its contexts and its listener are closed. From then on all its requests are
   * denied. Closing its listener is not enough: another one may follow.
   */
  forget(session: string): void {
    this.#sessions.delete(session);
  }

  /**
   * Narrows where the pages of a workspace may go, or with undefined no longer. A change ends its open connections,
   * which come back where they may.
   */
  narrowWorkspace(workspace: string, policy: EgressPolicy | undefined): void {
    if (isDeepStrictEqual(this.#workspaces.get(workspace), policy)) return;
    if (policy) this.#workspaces.set(workspace, policy);
    else this.#workspaces.delete(workspace);
    for (const [socket, session] of this.#live)
      if (session !== undefined && this.#sessions.get(session)?.workspace === workspace) socket.destroy();
  }

  /** Opens the listener of a session, at the stored port if given. Throws EADDRINUSE when that port is taken. */
  open(session: string, storedPort?: number): Promise<number> {
    return this.#listen(session, session, storedPort);
  }

  /** Opens the default proxy of a whole Chrome, which denies everything (`no-session`). */
  openFloor(browser: string, storedPort?: number): Promise<number> {
    return this.#listen(browser, undefined, storedPort);
  }

  /** Closes the listener of an ended session or Chrome. */
  async close(id: string): Promise<void> {
    const opened = this.#ports.get(id);
    this.#ports.delete(id);
    await opened?.listener.close();
    if (opened) this.#ownPorts.delete(opened.port);
  }

  portOf(id: string): number | undefined {
    return this.#ports.get(id)?.port;
  }

  /** Why a session's last request to this URL's host failed. Chrome itself knows only that the proxy failed. */
  ending(session: string, url: string): RequestFailure | undefined {
    const { protocol, hostname, port } = new URL(url);
    const usual = protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
    return this.#ports.get(session)?.endings.get(`${hostname} ${port === '' ? usual : port}`);
  }

  /** The policy of a workspace; undefined: all that the server allows. */
  policyOf(workspace: string): EgressPolicy | undefined {
    return this.#workspaces.get(workspace);
  }

  /**
   * The rule that would deny a page of this session, of a new one in this workspace, or under these policies the
   * address, and whose rule it is. Throws when its name cannot be resolved.
   */
  async would(
    of: { readonly session: string } | SessionPolicy | { readonly policies: Policies },
    url: string,
  ): Promise<(Pick<Denial, 'rule' | 'host' | 'port'> & Refusal) | undefined> {
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    const target = { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
    const policies =
      'policies' in of ? of.policies : 'session' in of ? this.#policiesOf(of.session) : this.#layered(of);
    if (!policies) return { rule: 'no-session', by: 'server', ...target };
    const checked = await this.#check(policies, target);
    return 'rule' in checked ? { ...checked, ...target } : undefined;
  }

  async dispose(): Promise<void> {
    for (const socket of this.#live.keys()) socket.destroy();
    await Promise.all([...this.#ports.keys()].map((id) => this.close(id)));
    this.#listeners.clear();
  }

  async #listen(id: string, session: string | undefined, storedPort: number | undefined): Promise<number> {
    const known = this.#ports.get(id);
    if (known) return known.port;
    const endings = new BoundedMap<string, RequestFailure>(EGRESS_LIMITS.endings);
    const open = (target: EgressTarget, method: string): Promise<DialResult> =>
      this.#open(session, endings, target, method);
    const listener = new EgressListener({ open, failed: (target, error) => void this.#failed(endings, target, error) });
    const port = await (storedPort === undefined ? listenAnywhere(listener) : listenAt(listener, storedPort));
    this.#ownPorts.add(port);
    this.#ports.set(id, { session, port, listener, endings });
    return port;
  }

  async #open(
    session: string | undefined,
    endings: Map<string, RequestFailure>,
    target: EgressTarget,
    method: string,
  ): Promise<DialResult> {
    try {
      const policies = session === undefined ? undefined : this.#policiesOf(session);
      if (session === undefined || !policies) return this.#denied(session, endings, target, method, 'no-session');
      const checked = await this.#check(policies, target);
      if ('rule' in checked) return this.#denied(session, endings, target, method, checked.rule);
      const socket = await dial(checked, target.port);
      this.#watch(socket, session);
      const narrowed = this.#ruleByNow(session, target, checked);
      if (narrowed) socket.destroy();
      const rule = narrowed ?? (await this.#ruleAgainstOpen(socket));
      if (rule) return this.#denied(session, endings, target, method, rule);
      endings.delete(keyOf(target));
      this.deps.count('open');
      return { kind: 'open', socket };
    } catch (error) {
      return this.#failed(endings, target, error instanceof NoName ? 'net::ERR_NAME_NOT_RESOLVED' : netErrorOf(error));
    }
  }

  /** The present policies of a session; undefined for one that is not known, whose requests are denied. */
  #policiesOf(session: string): Policies | undefined {
    const own = this.#sessions.get(session);
    return own && this.#layered(own);
  }

  #layered({ workspace, policy }: SessionPolicy): Policies {
    return { workspace: this.#workspaces.get(workspace), session: policy };
  }

  /**
   * The rule of the present policies, which may have been narrowed during the look-up and the connect. Call it in the
   * tick of `#watch`: a later change finds the socket itself.
   */
  #ruleByNow(
    session: string,
    { host, port }: Pick<EgressTarget, 'host' | 'port'>,
    addresses: readonly string[],
  ): DenialRule | undefined {
    const policies = this.#policiesOf(session);
    if (!policies) return 'no-session';
    const layers = this.#layersFor(policies, host, port);
    if (layers.some(({ listed }) => !listed)) return 'unlisted';
    const ruleOf = (policy: PrivateRanges): DenialRule | undefined =>
      [ruleAgainstName(host, policy), ...addresses.map((address) => ruleAgainst(address, port, NO_FLOOR, policy))].find(
        (rule) => rule !== undefined,
      );
    return firstIn(layers, ruleOf)?.rule;
  }

  /** The addresses to connect to, or the rule that denies one of them. */
  async #check(
    policies: Policies,
    { host, port }: Pick<EgressTarget, 'host' | 'port'>,
  ): Promise<readonly string[] | Refusal> {
    const layers = this.#layersFor(policies, host, port);
    const unnamed = layers.find(({ listed }) => !listed);
    const named = firstIn(layers, (policy) => ruleAgainstName(host, policy));
    if (named) return named;
    if ([...this.#debug].some((endpoint) => endpoint.port === port && endpoint.host === plainHost(host)))
      return { rule: 'debug-port', by: 'server' };
    // Before a name is looked up that could tell somebody where the page wanted to go.
    if (unnamed) return { rule: 'unlisted', by: unnamed.by };
    const addresses = await this.#resolve(host);
    const floor = await this.#floor(port);
    for (const address of addresses) {
      const denied = firstIn(layers, (policy) => ruleAgainst(address, port, floor, policy));
      if (denied) return denied;
    }
    return addresses;
  }

  /** The policies that a request must pass, from the server's to the session's; the demo's shop passes all. */
  #layersFor({ workspace, session }: Policies, host: string, port: number): Layer[] {
    const server = { by: 'server', ...this.#policyFor(host, port), listed: true } as const;
    if (this.#isOpenHere(host, port)) return [server];
    const narrowed = [
      { by: 'workspace', policy: workspace },
      { by: 'session', policy: session },
    ] as const;
    return [
      server,
      ...narrowed.flatMap(({ by, policy }): Layer[] =>
        policy
          ? [{ by, privateRanges: policy.kind === 'open' ? 'denied' : 'allowed', listed: lists(policy, host, port) }]
          : [],
      ),
    ];
  }

  #policyFor(host: string, port: number): PrivateRanges {
    return this.#isOpenHere(host, port) ? { privateRanges: 'allowed' } : this.deps.policy;
  }

  #isOpenHere(host: string, port: number): boolean {
    return host === '127.0.0.1' && this.#openHere.has(port);
  }

  /** Checks again after the connect, because the port may have become a debugging port meanwhile. */
  async #ruleAgainstOpen(socket: Socket): Promise<DenialRule | undefined> {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined) return undefined;
    const rule = ruleAgainst(
      remoteAddress,
      remotePort,
      await this.#floor(remotePort),
      this.#policyFor(remoteAddress, remotePort),
    );
    if (rule) socket.destroy();
    return rule;
  }

  async #resolve(host: string): Promise<readonly string[]> {
    try {
      return await this.#names.resolve(host);
    } catch (error) {
      throw new NoName(host, { cause: error });
    }
  }

  /**
   * What every policy denies for this port. Resolves the host names of attached Chromes only when their port matches.
   */
  async #floor(port: number): Promise<AlwaysDenied> {
    const concerned = this.#ownPorts.has(port) || [...this.#debug].some((endpoint) => endpoint.port === port);
    const ownAddresses: ReadonlySet<string> = concerned ? addressesOfThisMachine() : NONE;
    const debugPorts = new Set<number>();
    const debugEndpoints = new Set<string>();
    for (const endpoint of this.#debug) {
      if (endpoint.port !== port) continue;
      for (const address of await this.#addressesOf(endpoint)) {
        if (isOwnAddress(address, ownAddresses)) debugPorts.add(port);
        else debugEndpoints.add(endpointKey(address, port));
      }
    }
    return { ownPorts: this.#ownPorts, debugPorts, debugEndpoints, ownAddresses };
  }

  async #addressesOf({ host, addresses }: DebugEndpoint): Promise<ReadonlySet<string>> {
    for (const address of await this.#names.resolve(host).catch(() => [])) addresses.add(address);
    return addresses;
  }

  #denied(
    session: string | undefined,
    endings: Map<string, RequestFailure>,
    target: EgressTarget,
    method: string,
    rule: DenialRule,
  ): DialResult {
    const { host, port, url } = target;
    endings.set(keyOf(target), { rule });
    this.deps.count('denied');
    const denial = {
      session,
      rule,
      host,
      port,
      method,
      at: new Date().toISOString(),
      ...(url === undefined ? {} : { url }),
    };
    for (const listener of [...this.#listeners]) listener(denial);
    return { kind: 'denied', rule };
  }

  #failed(endings: Map<string, RequestFailure>, target: EgressTarget, error: NetError): DialResult {
    endings.set(keyOf(target), { error });
    this.deps.count('failed');
    return { kind: 'failed', error };
  }

  #watch(socket: Socket, session: string): void {
    this.#live.set(socket, session);
    socket.setTimeout(EGRESS_LIMITS.idleMs, () => socket.destroy());
    socket.on('close', () => this.#live.delete(socket));
    // Users of the socket add listeners later; this one keeps an earlier error from ending the process.
    socket.on('error', () => socket.destroy());
  }

  /** Ends connections that were opened before the port became a debugging port. */
  async #cut(port: number): Promise<void> {
    for (const socket of this.#live.keys()) if (socket.remotePort === port) await this.#ruleAgainstOpen(socket);
  }
}

/** One policy that a request must pass. */
interface Layer extends PrivateRanges {
  readonly by: DeniedBy;
  /** Whether it lists the site. */
  readonly listed: boolean;
}

/** The rule of the first policy that denies. */
function firstIn(
  layers: readonly Layer[],
  ruleOf: (policy: PrivateRanges) => DenialRule | undefined,
): Refusal | undefined {
  for (const layer of layers) {
    const rule = ruleOf(layer);
    if (rule) return { rule, by: layer.by };
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Denies no port and no address beside what a policy denies. */
const NO_FLOOR: AlwaysDenied = { ownPorts: new Set(), debugPorts: new Set(), debugEndpoints: NONE, ownAddresses: NONE };

/** A name that cannot be resolved. */
export class NoName extends Error {}

const keyOf = ({ host, port }: Pick<EgressTarget, 'host' | 'port'>): string => `${host} ${port}`;

function addressesOfThisMachine(): Set<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((interfaces) =>
      (interfaces ?? []).map(({ address }) => canonical(address)),
    ),
  );
}

async function listenAnywhere(listener: EgressListener): Promise<number> {
  const { firstPort, lastPort, portTries } = EGRESS_LIMITS;
  for (let tries = 1; ; tries += 1) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort + 1));
    try {
      await listener.listen(port);
      return port;
    } catch (error) {
      if (tries === portTries) throw error;
    }
  }
}

async function listenAt(listener: EgressListener, port: number): Promise<number> {
  const { storedPortTries, storedPortPauseMs } = EGRESS_LIMITS;
  for (let tries = 1; ; tries += 1) {
    try {
      await listener.listen(port);
      return port;
    } catch (error) {
      if (tries === storedPortTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, storedPortPauseMs));
    }
  }
}
