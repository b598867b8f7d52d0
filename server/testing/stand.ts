import { afterAll, afterEach, beforeAll } from 'vitest';
import { startTestServer, TEST_KEY, type TestServer } from './server';
import { connectClient, type Client } from './socket-client';
import { serveHtml } from './stage';

/** A server and one small page for all tests of a file, and connections that end with the test that made them. */
export interface Stand {
  readonly server: TestServer;
  /** Address of the page. */
  readonly url: string;
  /** Makes a session that shows the page; gives its id. */
  open(agent?: string): Promise<string>;
  /** Headers of the owner, signed in, as the interface sends them. */
  readonly owner: { readonly cookie: string; readonly origin: string };
  /** A connection with any credentials. */
  connect(options: Parameters<typeof connectClient>[1]): Client;
  /** A connection of the owner's page. */
  person(): Client;
  /** A connection of an agent, by key. */
  agent(name: string): Client;
}

/** Registers the hooks of a test file that needs a whole server and the page `html`. What the stand gives is there from the first test on. */
export function useStand(html: string): Stand {
  const clients: Client[] = [];
  let built: { server: TestServer; page: Awaited<ReturnType<typeof serveHtml>>; cookie: string } | undefined;
  const ready = (): NonNullable<typeof built> => {
    if (!built) throw new Error('The stand is ready in tests and hooks only.');
    return built;
  };
  const connect: Stand['connect'] = (options) => {
    const made = connectClient(ready().server.origin, options);
    clients.push(made);
    return made;
  };
  const stand: Stand = {
    get server() {
      return ready().server;
    },
    get url() {
      return `http://127.0.0.1:${ready().page.port}/`;
    },
    get owner() {
      return { cookie: ready().cookie, origin: ready().server.origin };
    },
    open: async (agent) => (await ready().server.session(stand.url, agent)).id,
    connect,
    person: () => connect({ headers: { ...stand.owner } }),
    agent: (name) => connect({ auth: { key: TEST_KEY, agent: name } }),
  };
  beforeAll(async () => {
    const [server, page] = await Promise.all([startTestServer(), serveHtml(html)]);
    built = { server, page, cookie: await server.signIn() };
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  afterAll(async () => {
    built?.page.close();
    await built?.server.close();
  });
  return stand;
}
