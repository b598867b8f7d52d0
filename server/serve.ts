import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBudget, withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { createAccess } from './access/access';
import { GRANTS } from './access/grants';
import { createGuard } from './access/guard';
import type { Config } from './config/config';
import { DemoDesk } from './doors/demo-desk';
import { createApi } from './doors/http/app';
import { createFront } from './doors/http/front';
import type { Services } from './doors/services';
import { createSocketDoor } from './doors/socket/door';
import { createDemoRunner } from './demo/runner';
import { mountPages } from './pages';
import { Browsers } from './sessions/browsers';
import { Hub } from './sessions/hub';
import { openStore } from './store/store';
import { createMetrics } from './telemetry/metrics';
import { requestId } from './telemetry/request-id';
import type { Logger } from './telemetry/logger';

export interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  /** Start the demo at once. */
  readonly demo: boolean;
  /** Serve the interface; left out by tests of the doors alone. */
  readonly pages?: boolean;
}

export interface RunningServer {
  /** The one-time sign-in link. */
  readonly link: string;
  readonly origin: string;
  readonly services: Services;
  stop(): Promise<void>;
}

const RESTORE_MS = 10_000;
const ATTACH_MS = 10_000;

/**
 * The composition root: config, store, browsers, sessions, doors, pages, listen; stopped in reverse (architecture.md). Throws one plain
 * sentence for a taken port, a used data directory, a damaged database.
 */
export async function serve({ config, logger, searchPath, demo, pages = true }: ServeOptions): Promise<RunningServer> {
  const clock = monotonicClock;
  const metrics = createMetrics();
  const store = await openStore({ dataDir: config.dataDir, logger });
  const server = createServer();
  try {
    const port = await listen(server, config);
    const access = createAccess({ store, config });
    access.listening(port);
    const origin = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    const browsers = new Browsers({ store, config: config.chrome, dataDir: config.dataDir, searchPath, logger, metrics });
    const guard = createGuard();
    const hub = new Hub(store, browsers, { clock, logger, metrics, may: access.may, guard, agentIdleMs: config.agentIdleMs });
    const runner = createDemoRunner({ logger, siteHost: '127.0.0.1', agentCommand: demoAgent(config), apiUrl: origin, agentEnv: { PATH: searchPath } });
    const services: Services = {
      hub, browsers, access, guard, store, clock, logger, metrics,
      demo: new DemoDesk(access, runner, clock),
      warnings: [...config.warnings, ...(store.loss === undefined ? [] : [store.loss.message]), ...guardWarning(guard)],
    };
    for (const { event } of store.journal.resolveUnfinished()) logger.warn({ event: event.id, kind: event.kind }, 'an action of the last run has an unknown outcome');
    await withBudget({ timeoutMs: RESTORE_MS, clock }, (budget) => hub.restore(budget, access.owner.workspace));
    const development = config.mode === 'development';
    const next = pages ? await mountPages({ server, development, hostname: config.host, port }) : undefined;
    const front = createFront({ services, api: createApi(services), next: next?.handle ?? noPages, development, requestId: requestId });
    const door = createSocketDoor(server, services);
    server.on('request', front);
    watchFaults(services);
    await attachAtStart(services, config);
    if (demo) await services.demo.start({ grants: new Set(GRANTS), person: access.owner.id, workspace: access.owner.workspace });
    return {
      link: await access.signIn.issueLink(),
      origin,
      services,
      stop: async () => {
        server.close();
        server.closeIdleConnections();
        await services.demo.stop();
        await door.close('The server is stopping.');
        hub.dispose();
        browsers.detachAll();
        await next?.close();
        server.closeAllConnections();
        metrics.dispose();
        store.close();
      },
    };
  } catch (error) {
    server.close();
    store.close();
    throw error;
  }
}

/** Prints a fresh sign-in link for whoever can read the data directory (http-api.md). */
export async function printLink(config: Config, logger: Logger): Promise<void> {
  const store = await openStore({ dataDir: config.dataDir, logger, as: 'guest' });
  const access = createAccess({ store, config });
  access.listening(config.port);
  process.stdout.write(`Open ${await access.signIn.issueLink()}\n`);
  store.close();
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
  if (error.code === 'EADDRINUSE') return new WheelhouseError('CONFLICT', `Port ${config.port} is taken by another program. Stop that one, or set PORT to another number.`);
  if (error.code === 'EACCES') return new WheelhouseError('CONFLICT', `Port ${config.port} may not be used by this user. Set PORT to a number above 1023.`);
  return new WheelhouseError('CONFLICT', `The server cannot listen on ${config.host}:${config.port}: ${error.message}.`, { cause: error });
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
function watchFaults({ metrics, logger }: Services): void {
  process.on('unhandledRejection', (error) => {
    metrics.fault('unhandled');
    logger.error({ error }, 'a rejection that nobody handled');
  });
}

function demoAgent(config: Config): { file: string; args: string[] } {
  const args = config.mode === 'production' ? ['dist/demo-agent.mjs'] : ['--import', 'tsx', 'bin/demo-agent.ts'];
  return { file: process.execPath, args };
}

function guardWarning(guard: Services['guard']): string[] {
  const egress = guard.egress('');
  return egress.state === 'advisory' ? [egress.reason] : [];
}

async function noPages(_: unknown, response: { writeHead(status: number): { end(text: string): void } }): Promise<void> {
  response.writeHead(404).end('no pages');
}
