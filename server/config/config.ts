import { formatMessage, type FormattedMessage } from '@/lib/messages/format';
import type { SearchEngines } from '@/lib/actions/search-engines';
import { resolve } from 'node:path';
import type { Role } from '@/lib/rights/roles';
import { WheelhouseError } from '@/lib/errors/error';
import { misfitOf } from './beyond';
import { childEnvironment } from './child-environment';
import type { Limits } from './limits';
import { isLoopback } from './loopback';
import type { Secret } from './secret';
import * as table from './variables';
import type { MailServer, Variable } from './variables';

export interface ChromeConfig {
  /** Program to start; undefined means: look for one (BR1). */
  readonly path: string | undefined;
  readonly args: readonly string[];
  /** A Chrome to attach to at start (BR3). May carry credentials: never log it. */
  readonly cdpUrl: URL | undefined;
  readonly headless: boolean;
  readonly noSandbox: boolean;
  /** The whole environment of Chrome. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface MailConfig {
  readonly server: MailServer;
  readonly from: string;
}

export interface OidcConfig {
  /** As the provider's discovery document writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: Secret;
  /** People with a verified address in one of these get an account with the role of OIDC_ROLE. */
  readonly domains: readonly string[];
  readonly role: Role;
}

/** The operator's settings, checked once at start. No other code reads the environment. */
export interface Config {
  readonly mode: 'production' | 'development' | 'test';
  /** The address to bind, without brackets. */
  readonly host: string;
  /** 0 means: the system chooses; ask the listening server for the real one. */
  readonly port: number;
  /** Set, and https, when other computers can reach the server. */
  readonly publicUrl: URL | undefined;
  /** Absolute paths of the PEM files; undefined: plain http. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** The number of the operator's own proxies in front. */
  readonly trustedHops: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly apiKey: Secret | undefined;
  readonly chrome: ChromeConfig;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** CO10, milliseconds. */
  readonly agentIdleMs: number;
  /** What snapshots may keep between two looks, bytes. */
  readonly snapshotMemoryBytes: number;
  /** Caps on connections, sessions, tabs, Chromes and memory (BR7). */
  readonly limits: Limits;
  /** Of the pictures beside each session's timeline, bytes. */
  readonly pictureBytes: number;
  /** Empty while search is off. */
  readonly searchEngines: SearchEngines;
  /** The receiver of agents' requests to people, with the key that signs the messages. */
  readonly webhook: { readonly url: URL; readonly secret: Secret } | undefined;
  /** The server that sends mails, and the address that they come from. */
  readonly mail: MailConfig | undefined;
  /** The provider by which people may sign in. */
  readonly oidc: OidcConfig | undefined;
  readonly passwordSignIn: boolean;
  /** Sentences to show at start: legal settings that deserve a look. */
  readonly warnings: readonly FormattedMessage[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigFacts {
  /** Is the process root? Chrome's sandbox cannot run then (T18). */
  readonly isRoot: boolean;
}

/**
 * Reads and checks the environment (OP1). An empty value counts as not set.
 * Throws BAD_REQUEST with one sentence that names the variable and the cure.
 */
export function loadConfig(env: Environment, facts: ConfigFacts): Config {
  const read = <T>(variable: Variable<T>): T => readVariable(env, variable);
  const chrome = readChrome(read, facts, childEnvironment(env));
  const reach = readReach(read, chrome);
  read(table.DATABASE_URL);
  read(table.REDIS_URL);
  return {
    mode: read(table.NODE_ENV),
    ...reach,
    port: read(table.PORT),
    dataDir: resolve(read(table.DATA_DIR)),
    apiKey: read(table.WHEELHOUSE_API_KEY),
    chrome,
    logLevel: read(table.LOG_LEVEL),
    agentIdleMs: read(table.AGENT_IDLE_MS),
    snapshotMemoryBytes: read(table.SNAPSHOT_MEMORY_MB) * 1024 * 1024,
    limits: read(table.LIMITS),
    pictureBytes: read(table.TIMELINE_PICTURES_MB) * 1024 * 1024,
    searchEngines: read(table.SEARCH_URL),
    webhook: readWebhook(read),
    mail: readMail(read),
    ...readSignIn(read),
    warnings: warningsOf(chrome, reach),
  };
}

function readChrome(
  read: <T>(variable: Variable<T>) => T,
  facts: ConfigFacts,
  environment: ChromeConfig['environment'],
): ChromeConfig {
  const args = read(table.CHROME_ARGS);
  return {
    path: read(table.CHROME_PATH),
    args,
    cdpUrl: read(table.CHROME_CDP_URL),
    environment,
    headless: read(table.HEADLESS),
    noSandbox: read(table.CHROME_NO_SANDBOX) ?? (facts.isRoot || args.includes('--no-sandbox')),
  };
}

/** Throws when a setting for other computers is missing, or does not fit the others (AU1). */
function readReach(
  read: <T>(variable: Variable<T>) => T,
  chrome: ChromeConfig,
): Pick<Config, 'host' | 'publicUrl' | 'tls' | 'trustedHops'> {
  const [host, publicUrl, trustedHops] = [read(table.HOST), read(table.PUBLIC_URL), read(table.TRUSTED_HOPS)];
  const [cert, key] = [read(table.TLS_CERT), read(table.TLS_KEY)];
  const sandboxLost =
    chrome.noSandbox && !chrome.args.includes('--no-sandbox') && read(table.CHROME_NO_SANDBOX) !== true;
  const misfit = misfitOf({ host, publicUrl, cert, key, trustedHops, sandboxLost });
  if (misfit) throw wrongly(misfit, misfit.shown);
  const tls = cert !== undefined && key !== undefined ? { cert: resolve(cert), key: resolve(key) } : undefined;
  return { host, publicUrl, tls, trustedHops };
}

/** An unsigned message could be anybody's, so that there is none. */
function readWebhook(read: <T>(variable: Variable<T>) => T): Config['webhook'] {
  const url = read(table.WEBHOOK_URL);
  const secret = read(table.WEBHOOK_SECRET);
  if (!url) return undefined;
  if (!secret) throw wrongly(table.WEBHOOK_SECRET, '');
  return { url, secret };
}

function readMail(read: <T>(variable: Variable<T>) => T): MailConfig | undefined {
  const [server, from] = [read(table.SMTP_URL), read(table.MAIL_FROM)];
  if (!server) return undefined;
  if (from === undefined) throw beside(table.MAIL_FROM, 'SMTP_URL');
  return { server, from };
}

/** Throws for a provider that is set by half, and when no way to sign in would be left. */
function readSignIn(read: <T>(variable: Variable<T>) => T): Pick<Config, 'oidc' | 'passwordSignIn'> {
  const [issuer, clientId, secret] = [
    read(table.OIDC_ISSUER),
    read(table.OIDC_CLIENT_ID),
    read(table.OIDC_CLIENT_SECRET),
  ];
  const [domains, role] = [read(table.OIDC_DOMAINS), read(table.OIDC_ROLE)];
  const passwordSignIn = read(table.PASSWORD_SIGN_IN);
  const set =
    clientId === undefined ? (secret ? 'OIDC_CLIENT_SECRET' : domains[0] && 'OIDC_DOMAINS') : 'OIDC_CLIENT_ID';
  if (issuer === undefined) {
    if (set !== undefined) throw beside(table.OIDC_ISSUER, set);
    if (!passwordSignIn) throw beside(table.OIDC_ISSUER, 'PASSWORD_SIGN_IN=false');
    return { oidc: undefined, passwordSignIn };
  }
  if (clientId === undefined) throw beside(table.OIDC_CLIENT_ID, 'OIDC_ISSUER');
  if (secret === undefined) throw beside(table.OIDC_CLIENT_SECRET, 'OIDC_ISSUER');
  return { oidc: { issuer, clientId, secret, domains, role }, passwordSignIn };
}

function warningsOf(chrome: ChromeConfig, reach: ReturnType<typeof readReach>): FormattedMessage[] {
  const { host, trustedHops } = reach;
  return [
    ...(chrome.noSandbox ? [formatMessage({ code: 'noSandbox' })] : []),
    ...(trustedHops > 0 && !isLoopback(host) ? [formatMessage({ code: 'proxyPassed', host })] : []),
  ];
}

function readVariable<T>(env: Environment, variable: Variable<T>): T {
  const raw = env[variable.name];
  const value = raw === '' ? undefined : raw;
  const parsed = variable.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const shown = variable.secret || value === undefined ? '' : ` "${value.slice(0, 100)}"`;
  throw wrongly(variable, shown);
}

function wrongly(
  { name, wrong, cure }: Pick<Variable<unknown>, 'name' | 'wrong' | 'cure'>,
  shown: string,
): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `${name}${shown} ${wrong}: ${cure}.`, {
    hint: cure,
    details: { variable: name },
  });
}

function beside(variable: Pick<Variable<unknown>, 'name' | 'cure'>, other: string): WheelhouseError {
  return wrongly({ ...variable, wrong: `is missing beside ${other}` }, '');
}

/** The table for the README, as markdown. */
export function configTable(): string {
  const rows = table.VARIABLES.map((variable) => `| \`${variable.name}\` | ${variable.shown} | ${variable.about} |`);
  return ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n');
}
