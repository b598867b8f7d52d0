import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import type { FloodLimits } from '@/lib/flood/limits';
import { sessionSchema, snapshotViewSchema, type SessionView, type SnapshotView } from '@/lib/protocol/views';
import { childEnvironment } from '@/server/config/child-environment';
import { loadConfig } from '@/server/config/config';
import type { Timings } from '@/server/config/timings';
import { serve, type RunningServer } from '@/server/serve';
import type { Feature } from '@/server/session/feature';
import { createLogger } from '@/server/telemetry/logger';
import { NO_SPARE, NO_WINDOW } from './chrome-args';
import { disturbedStore, type Disturb } from './disturbed-store';

export const TEST_KEY = 'wh_test_key_for_integration_only';

/** Chrome goes to no address with this port. */
export const TEST_SEARCH = 'http://127.0.0.1:1/';

/** Tests of a file share one server and key, and do not end their sessions. */
const TEST_LIMITS = 'sessions=200 sessions-server=200 chromes=20 chromes-server=20';

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface TestServer {
  readonly running: RunningServer;
  readonly origin: string;
  readonly dataDir: string;
  /** One call by key, with JSON in both directions. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** Creates a session that shows `url`. */
  session(url?: string, agent?: string): Promise<SessionView>;
  act(session: string, action: unknown, agent?: string): Promise<Reply>;
  snapshot(session: string, query?: string): Promise<SnapshotView>;
  /** Signs a person in; returns the Cookie header. */
  signIn(): Promise<string>;
  /** Stops the server and its Chromes. `keepChrome` leaves them running, as a crash would. */
  close(options?: { keepChrome?: boolean; keepData?: boolean }): Promise<void>;
}

/** Options of a test server; the product's own values where absent. */
export interface TestServerOptions {
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timings?: Timings;
  readonly log?: (line: string) => void;
  readonly floods?: FloodLimits;
  /** Disturbs calls of the store. */
  readonly disturb?: Disturb;
  /** Other features than those of the product. */
  readonly features?: readonly Feature[];
}

/** A whole server without the interface, on a free port with a data directory of its own, used from outside by HTTP. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'wheelhouse-server-'));
  const chrome = process.env['WHEELHOUSE_TEST_CHROME'];
  const env = {
    ...childEnvironment(process.env),
    PORT: '0',
    DATA_DIR: dataDir,
    WHEELHOUSE_API_KEY: TEST_KEY,
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
    TIMELINE_PICTURES_MB: '0',
    LIMITS: TEST_LIMITS,
    CHROME_ARGS: `${NO_SPARE} ${NO_WINDOW}`,
    SEARCH_URL: `web=${TEST_SEARCH}?q=%s`,
    ...(chrome ? { CHROME_PATH: chrome } : {}),
    ...options.env,
  };
  const config = loadConfig(env, { isRoot: process.getuid?.() === 0 });
  const { timings, log, floods, disturb, features } = options;
  const running = await serve({
    config,
    logger: log ? createLogger({ logLevel: 'debug' }, { write: log }) : createLogger({ logLevel: 'silent' }),
    searchPath: process.env['PATH'] ?? '',
    demo: false,
    // A sixteenth of a millisecond a password, instead of a fifth of a second.
    passwordCost: 4,
    pages: false,
    ...(timings && { timings }),
    ...(floods && { floods }),
    ...(features && { features }),
    ...(disturb && { throughStore: (store) => disturbedStore(store, disturb) }),
  });
  const { origin } = running;

  const api: TestServer['api'] = async (method, route, body, headers = {}) => {
    const init: RequestInit = {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    const response = await fetch(
      `${origin}${route}`,
      body === undefined ? init : { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) },
    );
    const text = await response.text();
    return { status: response.status, body: parseBody(text), headers: response.headers };
  };
  const agentHeader = (agent: string | undefined): Record<string, string> =>
    agent === undefined ? {} : { 'x-agent': agent };

  return {
    running,
    origin,
    dataDir,
    api,
    session: async (url, agent) =>
      sessionSchema.parse(
        (await api('POST', '/api/v1/sessions', url === undefined ? {} : { url }, agentHeader(agent))).body,
      ),
    act: async (session, action, agent) =>
      replySchema.parse(
        (await api('POST', `/api/v1/sessions/${session}/tabs/active/act`, action, agentHeader(agent))).body,
      ),
    snapshot: async (session, query = 'refs=1') =>
      snapshotViewSchema
        .extend({ refs: snapshotViewSchema.shape.refs.default([]) })
        .parse((await api('GET', `/api/v1/sessions/${session}/tabs/active/snapshot?${query}`)).body),
    signIn: async () => {
      const response = await fetch(await running.services.access.authentication.issueLink(), { redirect: 'manual' });
      return z.string().parse(response.headers.get('set-cookie')).split(';')[0] ?? '';
    },
    close: async ({ keepChrome = false, keepData = false } = {}) => {
      const { browsers, access } = running.services;
      if (!keepChrome)
        for (const { id } of browsers.list(access.owner.workspace))
          await browsers.remove(browsers.get(access.owner.workspace, id));
      await running.stop();
      if (!keepData) rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

const NONE: TestServerOptions = {};
let shared: { readonly server: Promise<TestServer>; readonly options: TestServerOptions } | undefined;

/**
 * The one server of all files of a worker that only need sessions: it runs until the worker ends, its Chromes with it.
 * With options it is started again with them, which costs a fifth of a server with a Chrome of its own, and without
 * them for the next file. `close` ends the sessions and keys that the file leaves.
 */
export async function sharedTestServer(options = NONE): Promise<TestServer> {
  if (shared && shared.options !== options) return restartSharedTestServer(undefined, options);
  shared ??= { server: startTestServer(options), options };
  const server = await shared.server;
  return { ...server, close: () => leave(server) };
}

/**
 * Stops the shared server as an operator does, while its Chromes run on, and starts it again on its data: for tests of
 * what outlives a restart. Its sessions go on; connections and the object of the old server end.
 * @param away what happens while no server runs
 * @param options of the server until the end of the file; as before when absent
 */
export async function restartSharedTestServer(
  away: () => Promise<void> | void = () => undefined,
  options = shared?.options ?? NONE,
): Promise<TestServer> {
  const before = await (shared?.server ?? startTestServer());
  // Should the stop fail, later calls start another one.
  shared = undefined;
  await before.close({ keepChrome: true, keepData: true });
  try {
    await away();
  } finally {
    const server = startTestServer({ ...options, dataDir: before.dataDir });
    server.catch(() => (shared = undefined));
    shared = { server, options };
  }
  return sharedTestServer(options);
}

async function leave(server: TestServer): Promise<void> {
  await endSessions(server, sessionsOf(server));
  const keys = z
    .array(z.object({ id: z.string(), preset: z.boolean() }))
    .parse((await server.api('GET', '/api/v1/keys')).body);
  await Promise.all(keys.filter((key) => !key.preset).map(({ id }) => server.api('DELETE', `/api/v1/keys/${id}`)));
}

/** The ids of the sessions of the owner's workspace. */
export function sessionsOf({ running }: TestServer): readonly string[] {
  const { hub, access } = running.services;
  return hub.list(access.owner.workspace).map(({ id }) => id);
}

/** Ends these sessions as their owner does. */
export async function endSessions({ origin, signIn }: TestServer, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const headers = { cookie: await signIn(), origin };
  await Promise.all(ids.map((id) => fetch(`${origin}/api/v1/sessions/${id}`, { method: 'DELETE', headers })));
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Pictures, JSON lines, Prometheus text.
    return text;
  }
}

/** The ref of the element with this role and name; throws with the page's text when there is none. */
export function refOf(snapshot: SnapshotView, role: string, name: string | RegExp): string {
  const found = snapshot.refs.find(
    (entry) => entry.role === role && (typeof name === 'string' ? entry.name === name : name.test(entry.name)),
  );
  if (found) return found.ref;
  throw new Error(`No ${role} ${String(name)} in:\n${snapshot.text}`);
}
