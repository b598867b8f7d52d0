import { formatMessage } from '@/lib/messages/format';
import { within } from '@/lib/async/within';
import { repeat } from '@/lib/async/timers';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createBudget, withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { parseUrl } from '@/lib/text/url';
import { floodLimits, type FloodLimits } from '@/lib/flood/limits';
import { createAccess } from './access/access';
import { byOwner } from './access/keys';
import type { SessionAccess } from '@/lib/rights/rights';
import { Egress } from './access/egress/egress';
import { systemResolver } from './access/egress/resolve';
import { createGuard } from './access/guard';
import { localOrigin } from './access/sites';
import { SnapshotCache } from './browser/snapshot/snapshot-cache';
import { isBeyondLoopback } from './config/beyond';
import type { Config } from './config/config';
import { TIMINGS, type Timings } from './config/timings';
import { isLoopback } from './config/loopback';
import { DemoApi } from './doors/demo-api';
import { Diagnostics } from './doors/diagnostics';
import { createApi } from './doors/http/app';
import { createFront } from './doors/http/front';
import { answerEarly, endUnclaimedUpgrades } from './doors/http/startup-page';
import type { Services } from './doors/services';
import { createSocketDoor, type SocketDoor } from './doors/socket/door';
import { FEATURES } from './features/list';
import { createDemoRunner } from './demo/runner';
import { Mail } from './mail/mail';
import { mountPages, type Pages } from './pages';
import { Browsers } from './fleet/browsers';
import type { Feature } from './session/feature';
import { Hub } from './session/hub';
import type { Session } from './session/session';
import { sendHelpWebhooks } from '@/server/features/help/help-webhook';
import { openStore, type Store } from './store/store';
import { createTlsServer } from './tls';
import type { TimelineCheck } from './store/timeline-check';
import { Webhook } from './webhook/webhook';
import { createMetrics } from './telemetry/metrics';
import { requestId } from './telemetry/request-id';
import type { Logger } from './telemetry/logger';
import { RecentLines } from './telemetry/recent';

export interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  /** Start the demo at once. */
  readonly demo: boolean;
  /** What the server waits for by itself; the product's timings where it is absent. */
  readonly timings?: Timings;
  /** What a page may take of its Chrome, where it is not the usual. */
  readonly floods?: FloodLimits;
  /** What each session does beside carrying out actions, where it is not the usual. */
  readonly features?: readonly Feature[];
  /** What stands between the server and its store; for tests of one that is slow or refuses. */
  readonly throughStore?: (store: Store) => Store;
  /** The cost of hashing a password, as a power of two, where it is not the usual. */
  readonly passwordCost?: number;
  /** Serve the interface; left out by tests of the doors alone. */
  readonly pages?: boolean;
}

export interface RunningServer {
  /** The one-time sign-in link. */
  readonly link: string;
  /** For programs of this computer. */
  readonly origin: string;
  readonly port: number;
  readonly services: Services;
  stop(): Promise<void>;
}

/** How long a stopping server waits for the outcomes of what it ends. Milliseconds. */
const STOP_PATIENCE_MS = 2_000;
/** And so long for those who have been answered to take it; who does not is cut off. Milliseconds. */
const LAST_ANSWERS_MS = 1_000;
/**
 * How long an idle connection stays open: longer than clients and proxies keep theirs, so that no request meets its
 * end. Milliseconds.
 */
const KEEP_ALIVE_MS = 65_000;
const ATTACH_MS = 10_000;
/**
 * The composition root: store, port, browsers, sessions, doors, pages; stopped in reverse. Throws one
 * plain sentence for a taken port, a used data directory, a damaged database.
 */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const recent = new RecentLines();
  const options = { ...given, logger: recent.recording(given.logger) };
  const { config, logger } = options;
  const server = listener(options);
  const opened = await openStore({ dataDir: config.dataDir, logger });
  const store = options.throughStore?.(opened) ?? opened;
  const openDoors = answerEarly(server);
  try {
    const port = await listen(server, config);
    server.on('error', (error) => logger.warn({ reason: error.message }, 'a connection could not be accepted'));
    const services = await compose(options, store, port, recent);
    const [site] = services.access.sites();
    if (site) writeFileSync(path.join(config.dataDir, ORIGIN_FILE), site.origin, { mode: 0o600 });
    return await open(options, server, services, port, openDoors);
  } catch (error) {
    server.close();
    await store.close();
    throw error;
  }
}

function listener({ config: { tls }, logger, timings = TIMINGS }: ServeOptions): Server {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS };
  if (!tls) return createServer(options);
  return createTlsServer(tls, options, { clock: monotonicClock, logger, everyMs: timings.certificateMs });
}

type Instruments = ReturnType<typeof createMetrics>;

/** Everything the doors open onto, without having touched a Chrome yet. */
async function compose(options: ServeOptions, store: Store, port: number, recent: RecentLines): Promise<Services> {
  const { config, logger } = options;
  const clock = monotonicClock;
  const metrics = createMetrics();
  const mail = config.mail && new Mail({ config: config.mail, clock, logger });
  const access = await createAccess({ store, config, mail, logger, passwordCost: options.passwordCost });
  access.listening(port);
  const alone = !isBeyondLoopback(config);
  const egress = composeEgress(metrics, port, alone);
  const browsers = composeBrowsers(options, store, egress, metrics);
  const guard = createGuard();
  const hub = composeHub(options, store, browsers, { access, egress, guard, metrics });
  const runner = createDemoRunner({
    logger,
    siteHost: '127.0.0.1',
    openToPages: ({ port: shop }) => egress.openHere(Number(shop)),
    agentCommand: demoAgent(config),
    apiUrl: localOrigin(access.sites()),
    agentEnv: { PATH: options.searchPath, ...(config.tls && { NODE_EXTRA_CA_CERTS: config.tls.cert }) },
  });
  const warnings = [
    ...config.warnings,
    ...(store.loss === undefined ? [] : [formatMessage(store.loss.said)]),
    // A loopback run is one person's own computer, whose pages in the making are to be seen.
    ...(alone ? [formatMessage({ code: 'privateOpen' })] : []),
  ];
  return {
    ...{ hub, browsers, access, guard, egress, store, clock, logger, metrics, warnings },
    demo: new DemoApi(access, runner, clock),
    diagnostics: new Diagnostics(config, recent),
    timelines: checkTimelines(store, logger),
  };
}

/** @param alone only this computer reaches the server */
function composeEgress(metrics: Instruments, port: number, alone: boolean): Egress {
  const egress = new Egress({
    resolve: systemResolver(),
    policy: { privateRanges: alone ? 'allowed' : 'denied' },
    now: () => monotonicClock.now(),
    count: (outcome) => metrics.egress(outcome),
  });
  egress.ownPort(port);
  return egress;
}

function composeBrowsers(options: ServeOptions, store: Store, egress: Egress, metrics: Instruments): Browsers {
  const { config, logger, searchPath, timings = TIMINGS } = options;
  return new Browsers({
    ...{ store, egress, searchPath, logger, metrics },
    config: config.chrome,
    dataDir: config.dataDir,
    timing: timings.chrome,
    most: config.limits['chromes-server'],
  });
}

function composeHub(
  { config, logger, timings = TIMINGS, floods, features = FEATURES }: ServeOptions,
  store: Store,
  browsers: Browsers,
  { access, ...shared }: Pick<Services, 'access' | 'egress' | 'guard'> & { readonly metrics: Instruments },
): Hub {
  const memory = { slowMb: config.limits['memory-session'], parkMb: config.limits['memory-session-hard'] };
  const services = {
    ...shared,
    logger,
    clock: monotonicClock,
    timings,
    fleet: browsers.fleet,
    may: access.may,
    rights: access.rights,
    limits: access.limits,
    agentIdleMs: config.agentIdleMs,
    snapshotCache: new SnapshotCache(config.snapshotMemoryBytes),
    filesRoot: path.join(config.dataDir, 'files'),
    picturesRoot: path.join(config.dataDir, 'pictures'),
    pictureBytes: config.pictureBytes,
    searchEngines: config.searchEngines,
    floods: floods ?? floodLimits(availableParallelism(), memory),
    saved: store.saved,
  };
  const hub = new Hub(store, browsers, services, features);
  // Before the doors listen, so that they find the access of a session that they hear of.
  hub.onSession.on((session) => access.rights.began(accessOf(session)));
  hub.onEnded.on(({ id }) => access.rights.apply({ kind: 'session-ended', session: id }));
  return hub;
}

/** Who may enter a new session: everybody in its workspace, its maker as moderator. */
function accessOf({ id, workspace, init: { maker, owner } }: Session): SessionAccess {
  const key = maker?.kind === 'key' ? maker.id : undefined;
  return { session: id, workspace, owner, key, open: 'workspace', watchOnly: false, roles: new Map() };
}

function checkTimelines(store: Store, logger: Logger): TimelineCheck {
  return store.checkTimelines(monotonicClock, (end) => {
    for (const { session, workspace, row, problem } of end.state === 'broken' ? end.broken : [])
      logger.error(
        { session, workspace },
        `A timeline or log does not verify from row ${row} on: ${problem}. It was changed from outside, or is damaged.`,
      );
    if (end.state === 'failed') logger.error({ reason: end.reason }, 'the timelines could not be checked');
  });
}

/** Finds what the last run left, mounts pages and doors, and lets requests in. */
async function open(
  { config, demo, timings = TIMINGS, pages = true }: ServeOptions,
  server: Server,
  services: Services,
  port: number,
  openDoors: () => void,
): Promise<RunningServer> {
  const { access, store, hub, logger, clock } = services;
  for (const { event } of await store.journal.resolveUnfinished())
    logger.warn({ event: event.id, kind: event.kind }, 'an action of the last run has an unknown outcome');
  for (const id of await store.people.workspaces()) {
    const { policy, unreadable } = (await store.people.workspace(id)) ?? { policy: undefined, unreadable: [] };
    services.egress.narrowWorkspace(id, policy?.egress);
    if (unreadable.length > 0)
      logger.error(
        { workspace: id, reason: unreadable.join(', ') },
        'the policy of a workspace cannot be read: it is as narrow as it can be',
      );
  }
  const endWebhook = startWebhook(config, services, port);
  await withBudget({ timeoutMs: timings.restoreMs, clock }, (budget) => hub.restore(budget));
  const offAccess = await followAccess(config, services);
  const development = config.mode === 'development';
  const next = pages ? await mountPages({ server, development, hostname: config.host, port }) : undefined;
  openDoors();
  // Before the socket door, which takes its own path away from the listeners it finds: two answers to one request would
  // end the process.
  const handle = next?.handle ?? noPages;
  server.on('request', createFront({ services, api: createApi(services), next: handle, development, requestId }));
  const door = createSocketDoor(server, services, timings.pings);
  endUnclaimedUpgrades(server, (path) => path.startsWith('/socket.io/') || (development && path.startsWith('/_next/')));
  const ends = [endWebhook, watchFaults(services), backUpHourly(services), offAccess];
  await attachAtStart(services, config);
  if (demo) await services.demo.start(byOwner(access.owner));
  const stop = async (): Promise<void> => {
    for (const end of ends) end();
    await close(server, services, door, next);
  };
  return { link: await access.authentication.issueLink(), origin: localOrigin(access.sites()), port, services, stop };
}

/**
 * Ends in the sessions what ended credentials and lost rights had there, from now on and of keys and links whose reason
 * has gone while the server was down.
 */
async function followAccess(config: Config, { access, hub }: Services): Promise<() => void> {
  // A preset key that is no more has nobody to revoke it.
  if (config.apiKey === undefined) for (const ended of await access.keys.endPreset()) hub.credentialEnded(ended);
  const offRevoked = access.onRevoked((credential) => hub.credentialEnded(credential));
  const offRights = access.rights.onChange((change) => hub.rightsChanged(change));
  await access.links.load();
  return () => {
    offRevoked();
    offRights();
  };
}

/** From before the first session on. Throws for an address of our own. */
function startWebhook(config: Config, { access, hub, clock, logger, metrics }: Services, port: number): () => void {
  if (!config.webhook) return () => undefined;
  const { url } = config.webhook;
  if (isLoopback(url.hostname) && Number(url.port) === port)
    throw new WheelhouseError(
      'BAD_REQUEST',
      'WEBHOOK_URL is an address of this server itself: give that of the program that shall be told.',
    );
  const webhook = new Webhook({ ...config.webhook, clock, logger, metrics });
  const off = sendHelpWebhooks(hub, webhook, config.publicUrl?.origin ?? localOrigin(access.sites()));
  return () => {
    off();
    webhook.dispose();
  };
}

/** In reverse: no new requests, demo, sockets, sessions; Chromes are let go and live on (OP3). */
async function close(server: Server, services: Services, door: SocketDoor, next: Pages | undefined): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await services.demo.stop();
  // Only when the last connection of the port is gone, and that may be one of an agent who waits for the lease or a
  // person.
  // Nobody waits for it until the sessions are quiet: its failure is taken here, or it would end the process.
  const closed = door
    .close('The server is stopping.')
    .catch((error: unknown) => services.logger.error({ error }, 'the socket door did not close cleanly'));
  await services.hub.quiet('The server is stopping.', STOP_PATIENCE_MS);
  services.hub.dispose();
  services.browsers.detachAll();
  await services.egress.dispose();
  await next?.close();
  await within(services.clock, LAST_ANSWERS_MS, closed);
  server.closeAllConnections();
  await closed;
  services.access.mail?.dispose();
  services.metrics.dispose();
  services.timelines.dispose();
  services.access.links.close();
  await services.access.log.close();
  await services.store.close();
}

/** A fresh sign-in link for whoever can read the data directory (AU1). */
export async function freshLink(config: Config, logger: Logger): Promise<string> {
  const store = await openStore({ dataDir: config.dataDir, logger, as: 'guest' });
  const publicUrl = config.publicUrl ?? lastOrigin(config);
  const access = await createAccess({ store, config: { ...config, publicUrl } });
  access.listening(config.port);
  const link = await access.authentication.issueLink();
  await store.close();
  return link;
}

const ORIGIN_FILE = 'origin';

/** The address of the server that runs on this data directory, so that a link printed beside it leads there. */
function lastOrigin({ dataDir }: Config): URL | undefined {
  try {
    return parseUrl(readFileSync(path.join(dataDir, ORIGIN_FILE), 'utf8'));
  } catch {
    // No server has run here yet.
    return undefined;
  }
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, config)));
    server.listen(config.port, config.host, () => resolve(portOf(server.address())));
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listenError(error: NodeJS.ErrnoException, config: Config): WheelhouseError {
  if (error.code === 'EADDRINUSE')
    return new WheelhouseError(
      'CONFLICT',
      `Port ${config.port} is taken by another program. Stop that one, or set PORT to another number.`,
    );
  if (error.code === 'EACCES')
    return new WheelhouseError(
      'CONFLICT',
      `Port ${config.port} may not be used by this user. Set PORT to a number above 1023.`,
    );
  return new WheelhouseError(
    'CONFLICT',
    `The server cannot listen on ${config.host}:${config.port}: ${error.message}.`,
    { cause: error },
  );
}

async function attachAtStart({ hub, access, clock, logger }: Services, config: Config): Promise<void> {
  const cdpUrl = config.chrome.cdpUrl?.href;
  if (cdpUrl === undefined) return;
  const budget = createBudget({ timeoutMs: ATTACH_MS, clock });
  try {
    await hub.attach(budget, access.owner.workspace, cdpUrl);
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'the Chrome of CHROME_CDP_URL could not be attached');
    process.stdout.write(`Note: the Chrome of CHROME_CDP_URL could not be attached: ${messageOf(error)}\n`);
  } finally {
    budget.dispose();
  }
}

/** Faults that nobody caught: counted and logged, the server goes on (F30). */
function watchFaults({ metrics, logger }: Services): () => void {
  const told = (error: unknown): void => {
    metrics.fault('unhandled');
    logger.error({ error }, 'a rejection that nobody handled');
  };
  process.on('unhandledRejection', told);
  return () => process.off('unhandledRejection', told);
}

const BACKUP_EVERY_MS = 3_600_000;

/** Every hour what ended long ago is forgotten, and a copy of the database made, for `--restore` (F17). */
function backUpHourly({ access, store, clock, logger }: Services): () => void {
  return repeat(clock, BACKUP_EVERY_MS, async () => {
    await access.prune().catch((error: unknown) => logger.error({ error }, 'ended sign-ins were not removed'));
    await store.backup(new Date()).catch((error: unknown) => logger.error({ error }, 'the hourly backup failed'));
  });
}

function demoAgent(config: Config): { file: string; args: string[] } {
  const args = config.mode === 'production' ? ['dist/demo-agent.mjs'] : ['--import', 'tsx', 'bin/demo-agent.ts'];
  return { file: process.execPath, args };
}

async function noPages(
  _: unknown,
  response: { writeHead(status: number): { end(text: string): void } },
): Promise<void> {
  response.writeHead(404).end('no pages');
}
