import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Session } from '@/server/session/session';
import {
  endSessions,
  restartSharedTestServer,
  sessionsOf,
  sharedTestServer,
  startTestServer,
  TEST_KEY,
  type TestServer,
  type TestServerOptions,
} from './server';
import { connectClient, type Client } from './socket-client';
import { startWeb, type Web, type WebPage } from './web';

/** A server with a few small pages for all tests of a file, and connections that end with the test that made them. */
export interface ServerFixture {
  readonly server: TestServer;
  /** Origin of the pages; `elsewhere` is the same server as another site. */
  readonly site: string;
  readonly elsewhere: string;
  /** Address of the first page. */
  readonly url: string;
  /** Creates a session that shows the page; returns its id. */
  open(agent?: string): Promise<string>;
  /**
   * As `open`, in the session of the last such call while its one tab can be used, which costs a third: the page is
   * loaded anew and the agent has the lease. The timeline, refs, cookies and epochs go on. A test that fails ends the
   * session, so its second try and the tests after it get a new one.
   */
  again(agent?: string): Promise<string>;
  /** Headers of the signed-in owner, as the interface sends them. */
  readonly owner: { readonly cookie: string; readonly origin: string };
  /**
   * Stops the worker's server and starts it again on its data, while Chromes and sessions go on; `away` happens in
   * between. From then on `server` is the new one, with these options until the end of the file.
   */
  restart(away?: () => Promise<void> | void, options?: TestServerOptions): Promise<void>;
  /** Keeps a session for later tests, until the end of the file; any other ends with the test that made it. */
  keep(id: string): void;
  /** The session object inside the server. */
  inside(id: string): Session;
  /** Does what a button of the interface does to the lease of a session's active tab, as the owner. */
  control(session: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** A connection with any credentials. */
  connect(options: Parameters<typeof connectClient>[1]): Client;
  /** A connection of the owner's page. */
  person(): Client;
  /** A connection of an agent, by key. */
  agent(name: string): Client;
}

/**
 * Registers the hooks of a test file that needs a whole server and pages: one page for every path, or each at its own.
 * The fixture is ready from the first test on. A session ends with the test that made it, one that was made before the
 * test with the file. Without options the file shares the server of its worker, with `shared: true` also, but started
 * again with its options; with other options, even `{}`, it has a server of its own, for tests that count or harm a
 * whole Chrome.
 */
export function useServerFixture(
  pages: string | Readonly<Record<string, WebPage>>,
  options?: TestServerOptions & { readonly shared?: true },
): ServerFixture {
  const owns = options !== undefined && options.shared !== true;
  const clients: Client[] = [];
  const kept = new Set<string>();
  let built: { server: TestServer; web: Web; cookie: string } | undefined;
  const ready = (): NonNullable<typeof built> => {
    if (!built) throw new Error('The fixture is ready in tests and hooks only.');
    return built;
  };
  let last: string | undefined;
  /** Loads the page in the session of the last call; whether it is there now. */
  const reloaded = async (id: string, agent: string | undefined): Promise<boolean> => {
    if (!sessions().includes(id) || fixture.inside(id).registry.size !== 1) return false;
    await fixture.control(id, { do: 'release' });
    return (await fixture.server.act(id, { kind: 'navigate', url: fixture.url, tab: 't1' }, agent)).ok;
  };
  const connect: ServerFixture['connect'] = (options) => {
    const made = connectClient(ready().server.origin, options);
    clients.push(made);
    return made;
  };
  const fixture: ServerFixture = {
    get server() {
      return ready().server;
    },
    get site() {
      return ready().web.origin;
    },
    get elsewhere() {
      return ready().web.elsewhere;
    },
    get url() {
      return `${ready().web.origin}/`;
    },
    get owner() {
      return { cookie: ready().cookie, origin: ready().server.origin };
    },
    open: async (agent) => (await ready().server.session(fixture.url, agent)).id,
    again: async (agent) => {
      if (last !== undefined && (await reloaded(last, agent))) return last;
      if (last !== undefined) kept.delete(last);
      last = await fixture.open(agent);
      kept.add(last);
      return last;
    },
    restart: async (away, newOptions) => {
      if (owns) throw new Error('A server of its own is started again by its file.');
      const server = await restartSharedTestServer(away, newOptions);
      // The name of the cookie depends on the port.
      built = { ...ready(), server, cookie: await server.signIn() };
    },
    keep: (id) => void kept.add(id),
    inside: (id) => {
      const { hub, access } = ready().server.running.services;
      return hub.get(access.owner.workspace, id);
    },
    control: async (session, body) => {
      const response = await fetch(`${ready().server.origin}/api/v1/sessions/${session}/tabs/active/control`, {
        method: 'POST',
        headers: { ...fixture.owner, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
    connect,
    person: () => connect({ headers: { ...fixture.owner } }),
    agent: (name) => connect({ auth: { key: TEST_KEY, agent: name } }),
  };
  beforeAll(async () => {
    const starting = owns ? startTestServer(options) : sharedTestServer(options);
    const [server, web] = await Promise.all([starting, startWeb(pages)]);
    built = { server, web, cookie: await server.signIn() };
  });
  const sessions = (): readonly string[] => sessionsOf(fixture.server);
  beforeEach(() => sessions().forEach(fixture.keep));
  afterEach(async ({ task }) => {
    for (const client of clients.splice(0)) client.disconnect();
    if (task.result?.state === 'fail' && last !== undefined) {
      kept.delete(last);
      last = undefined;
    }
    // What a test leaves in its pages, loops above all, would take from the tests after it.
    await endSessions(
      fixture.server,
      sessions().filter((id) => !kept.has(id)),
    );
  });
  afterAll(async () => {
    built?.web.close();
    await built?.server.close();
  });
  return fixture;
}
