import { OWNER_NAME } from '@/lib/protocol/views';
import type { IncomingMessage } from 'node:http';
import { monotonicClock, type Clock } from '@/lib/budget/clock';
import { isBeyondLoopback } from '@/server/config/beyond';
import type { Config } from '@/server/config/config';
import type { Person } from '@/server/store/people';
import type { Mail } from '@/server/mail/mail';
import type { Store } from '@/server/store/store';
import type { Logger } from '@/server/telemetry/logger';
import { Accounts } from './accounts/accounts';
import { Passkeys } from './accounts/passkeys';
import { PASSWORD_COST } from './accounts/password-hash';
import { SecondFactor } from './accounts/second-factor';
import { addressOf } from './client-address';
import { systemResolver } from './egress/resolve';
import { FirstOwner } from './first-owner';
import { Invitations } from './invitations';
import { Joining } from './joining';
import { Keys } from './keys';
import { createLimits, type AccessLimits } from './limits';
import { Links } from './links';
import { LiveRights } from './live-rights';
import { WorkspaceLog } from './log';
import { LiveCredentials, type RevokedListener } from './liveness';
import { createMay, type May } from './may';
import { Members } from './members';
import type { Principal } from './principal';
import { ProviderAccounts } from './oidc/provider-accounts';
import { Oidc } from './oidc/oidc';
import { ProviderSignIn } from './oidc/provider-sign-in';
import type { AccessParts } from './parts';
import { PasswordLinks } from './password-links';
import { Removal } from './removal';
import { SessionAccesses } from './session-access';
import { Authentication } from './authentication';
import { SignIns } from './sign-ins';
import { sitesOf, type Site } from './sites';
import { Workspaces } from './workspaces';

/** Identity and rights of this server. Created before the server listens; call `listening` before the first request. */
export interface Access {
  readonly owner: Person;
  readonly authentication: Authentication;
  readonly firstOwner: FirstOwner;
  /** Whether other computers can reach this server. */
  readonly beyondLoopback: boolean;
  readonly accounts: Accounts;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly keys: Keys;
  /** Share links. Load them when the server starts, and close them before the store. */
  readonly links: Links;
  readonly invitations: Invitations;
  readonly joining: Joining;
  readonly passwordLinks: PasswordLinks;
  /** Undefined: nobody signs in by a provider. */
  readonly provider: ProviderSignIn | undefined;
  /** Undefined: this server sends no mails. */
  readonly mail: Mail | undefined;
  readonly removal: Removal;
  readonly signIns: SignIns;
  readonly members: Members;
  readonly workspaces: Workspaces;
  /** Who may enter which session. */
  readonly sessions: SessionAccesses;
  readonly limits: AccessLimits;
  /** What people and keys may at this moment. */
  readonly rights: LiveRights;
  /** Sign-ins and refusals in the logs of the workspaces. Close it before the store. */
  readonly log: WorkspaceLog;
  /** The only function that decides rights. */
  readonly may: May;
  /** Whether the credential of a principal has neither ended nor expired. */
  isLive(principal: Principal): boolean;
  /**
   * The listener must close the sockets and abort the calls of an ended sign-in or key. Returns a function that removes
   * it.
   */
  onRevoked(listener: RevokedListener): () => void;
  /** Forgets credentials, one-time links and guests of links that ended long ago. Called once an hour. */
  prune(): Promise<void>;
  /** Sets the port that the server bound. */
  listening(port: number): void;
  /** The addresses at which this server is reachable. */
  sites(): readonly Site[];
  /** The address that a request comes from: the connection's own, or what the operator's proxies say. */
  addressOf(request: IncomingMessage): string;
}

interface AccessOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'host' | 'publicUrl' | 'apiKey'> &
    Partial<Pick<Config, 'limits' | 'tls' | 'trustedHops' | 'passwordSignIn' | 'oidc'>>;
  readonly mail?: Mail | undefined;
  /** Tells what the provider of OIDC_ISSUER does wrong, and which listeners fail. */
  readonly logger?: Logger;
  /** The wall clock, used for expiry only. */
  readonly now?: () => Date;
  readonly clock?: Clock;
  /** The cost of hashing a password, as a power of two; the product's where it is absent. */
  readonly passwordCost?: number | undefined;
}

export async function createAccess(options: AccessOptions): Promise<Access> {
  const { config } = options;
  let port = 0;
  let sites: readonly Site[] = [];
  const beyondLoopback = isBeyondLoopback(config);
  const parts = await partsOf(options, { sites: () => sites, port: () => port });
  const { store, owner, mail, live, rights, limits, log } = parts;
  const keys = new Keys(parts, config.apiKey);
  const { clock = monotonicClock, passwordCost = PASSWORD_COST } = options;
  const links = new Links({ ...parts, clock, passwordCost, preset: config.apiKey !== undefined });
  const authentication = new Authentication({ ...parts, keys, links });
  const accounts = new Accounts({ ...parts, authentication, passwordCost });
  const invitations = new Invitations(parts);
  return {
    ...{ owner, authentication, accounts, keys, links, invitations, mail, limits, rights, log, beyondLoopback },
    firstOwner: new FirstOwner(store, owner.id, beyondLoopback),
    secondFactor: new SecondFactor(accounts, parts),
    passkeys: new Passkeys(accounts, parts),
    joining: new Joining({ ...parts, invitations, accounts, authentication }),
    passwordLinks: new PasswordLinks({ ...parts, accounts, authentication }),
    provider: providerOf(options, { ...parts, authentication, accounts, invitations }),
    removal: new Removal(parts),
    signIns: new SignIns(parts),
    members: new Members(parts),
    workspaces: new Workspaces(parts),
    sessions: new SessionAccesses({ ...parts, keys }),
    may: createMay(live),
    isLive: (principal) => live.isLive(principal),
    prune: () => prune(parts),
    onRevoked: (listener) => live.onRevoked(listener),
    listening: (bound) => {
      port = bound;
      sites = sitesOf({ host: config.host, port: bound, publicUrl: config.publicUrl, tls: config.tls !== undefined });
    },
    sites: () => sites,
    addressOf: (request) => addressOf(request, config.trustedHops ?? 0),
  };
}

/** How long after its end a link is listed with its guests, and says why it ended. Milliseconds. */
const ENDED_LINKS_KEPT_MS = 7 * 86_400_000;

async function prune({ live, rights, store, now }: AccessParts): Promise<void> {
  live.prune();
  await rights.prune(store, now());
  await store.signIns.prune(now());
  await store.links.prune(new Date(now().getTime() - ENDED_LINKS_KEPT_MS));
}

async function partsOf(
  { store, config, mail, logger, now = () => new Date(), clock = monotonicClock }: AccessOptions,
  here: Pick<AccessParts, 'sites' | 'port'>,
): Promise<AccessParts> {
  const owner = await store.people.ensureOwner({ workspace: 'Home', owner: OWNER_NAME }, now());
  const fault = (error: unknown): void => logger?.error({ error }, 'a listener of ended credentials or rights failed');
  const live = new LiveCredentials(now, fault);
  const rights = await LiveRights.load(store, owner.id, now(), fault);
  live.onRevoked(({ kind, id }) => {
    if (kind === 'cookie') rights.signInEnded(id);
  });
  return {
    ...{ store, owner, mail, now, ...here, live, rights },
    log: new WorkspaceLog(store, clock),
    limits: createLimits(config.limits),
    passwordSignIn: config.passwordSignIn ?? true,
    issuer: config.oidc?.issuer,
    domains: config.oidc?.domains ?? [],
  };
}

function providerOf(
  { config: { oidc: config }, logger, clock = monotonicClock }: AccessOptions,
  parts: AccessParts & Pick<Access, 'authentication' | 'accounts' | 'invitations'>,
): ProviderSignIn | undefined {
  if (!config || !logger) return undefined;
  const oidc = new Oidc({ config, resolve: systemResolver(), now: () => clock.now(), time: parts.now });
  const providerAccounts = new ProviderAccounts({ ...parts, config });
  return new ProviderSignIn({ ...parts, oidc, providerAccounts, logger });
}
