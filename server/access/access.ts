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
import { Invitations, type InvitationsParts } from './invitations';
import { Joining, type JoiningParts } from './joining';
import { Keys } from './keys';
import { createLimits, type AccessLimits } from './limits';
import { LiveRights } from './live-rights';
import { WorkspaceLog } from './log';
import { LiveCredentials, type RevokedListener } from './liveness';
import { createMay, type May } from './may';
import { Members } from './members';
import type { Principal } from './principal';
import { ProviderAccounts } from './oidc/provider-accounts';
import { Oidc } from './oidc/oidc';
import { ProviderSignIn } from './oidc/provider-sign-in';
import { PasswordLinks, type PasswordLinksParts } from './password-links';
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
  /** Sets the port that the server bound. */
  listening(port: number): void;
  /** The addresses at which this server is reachable. */
  sites(): readonly Site[];
  /** The address that a request comes from: the connection's own, or what the operator's proxies say. */
  addressOf(request: IncomingMessage): string;
}

export interface AccessParts {
  readonly store: Store;
  readonly config: Pick<Config, 'host' | 'publicUrl' | 'apiKey'> &
    Partial<Pick<Config, 'limits' | 'tls' | 'trustedHops' | 'passwordSignIn' | 'oidc'>>;
  readonly mail?: Mail | undefined;
  /** Tells what the provider of OIDC_ISSUER does wrong. */
  readonly logger?: Logger;
  /** The wall clock, used for expiry only. */
  readonly now?: () => Date;
  readonly clock?: Clock;
  /** The cost of hashing a password, as a power of two; the product's where it is absent. */
  readonly passwordCost?: number | undefined;
}

export async function createAccess(parts: AccessParts): Promise<Access> {
  const { store, config, mail, now = () => new Date(), clock = monotonicClock } = parts;
  const beyondLoopback = isBeyondLoopback(config);
  const owner = await store.people.ensureOwner({ workspace: 'Home', owner: OWNER_NAME }, now());
  const live = new LiveCredentials(now);
  const rights = await LiveRights.load(store, owner.id, now());
  const limits = createLimits(config.limits);
  const log = new WorkspaceLog(store, clock);
  const passwords = config.passwordSignIn ?? true;
  const here = { sites: () => sites, port: () => port };
  const common = { store, owner, log, live, rights, limits, now, mail, passwords, ...here };
  const keys = new Keys({ ...common, preset: config.apiKey });
  let port = 0;
  let sites: readonly Site[] = [];
  const authentication = new Authentication({ ...common, keys });
  const accounts = new Accounts({ ...common, authentication, passwordCost: parts.passwordCost ?? PASSWORD_COST });
  return {
    ...{ owner, authentication, accounts, keys, mail, limits, rights, log, beyondLoopback },
    ...waysIn({ ...common, authentication, accounts, clock, logger: parts.logger, oidc: config.oidc }),
    firstOwner: new FirstOwner(store, owner.id, beyondLoopback),
    secondFactor: new SecondFactor(accounts, common),
    passkeys: new Passkeys(accounts, common),
    removal: new Removal(common),
    signIns: new SignIns(common),
    members: new Members(common),
    workspaces: new Workspaces(common),
    sessions: new SessionAccesses({ ...common, keys }),
    may: createMay(live),
    isLive: (principal) => live.isLive(principal),
    onRevoked: (listener) => live.onRevoked(listener),
    listening: (bound) => {
      port = bound;
      sites = sitesOf({ host: config.host, port: bound, publicUrl: config.publicUrl, tls: config.tls !== undefined });
    },
    sites: () => sites,
    addressOf: (request) => addressOf(request, config.trustedHops ?? 0),
  };
}

type WaysInParts = InvitationsParts &
  PasswordLinksParts &
  Omit<JoiningParts, 'invitations'> & {
    readonly owner: Person;
    readonly port: () => number;
    readonly clock: Clock;
    readonly logger: Logger | undefined;
    readonly oidc: Config['oidc'];
  };

/** The parts by which new people join, and by which people who lost their password get in again. */
function waysIn(common: WaysInParts) {
  const invitations = new Invitations(common);
  return {
    invitations,
    joining: new Joining({ ...common, invitations }),
    passwordLinks: new PasswordLinks(common),
    provider: providerOf(common, invitations),
  };
}

function providerOf({ oidc: config, logger, ...common }: WaysInParts, invitations: Invitations) {
  if (!config || !logger) return undefined;
  const { clock, now, owner } = common;
  const oidc = new Oidc({ config, resolve: systemResolver(), now: () => clock.now(), time: now });
  const providerAccounts = new ProviderAccounts({ ...common, config, invitations, workspace: owner.workspace });
  return new ProviderSignIn({ ...common, oidc, providerAccounts, logger });
}
