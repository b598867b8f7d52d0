import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectClient, type Client } from '@/server/testing/socket-client';
import { endsWithTest } from '@/server/session/testing/ends-with-test';
import {
  endSessions,
  sessionsOf,
  startTestServer,
  TEST_KEY,
  type ApiAnswer,
  type TestServer,
  type TestServerOptions,
} from '@/server/testing/server';

/** The limits of one key, one name and the whole server, at the limit and one above (BR7). */
let server: TestServer;
let other: string;
const clients: Client[] = [];

beforeAll(async () => {
  server = await startTestServer({
    env: {
      LIMITS:
        'sessions=2 sessions-server=3 tabs=3 tabs-server=6 chromes=1 chromes-server=2 sockets=3 sockets-name=2 sockets-server=4 requests=40',
    },
  });
  const made = await server.api('POST', '/api/v1/keys', {
    name: 'Other',
    grants: ['watch', 'drive'],
    sessions: 'workspace',
  });
  other = z.object({ key: z.string() }).parse(made.body).key;
});

// A test that fails must not leave a second try without room.
afterEach(() => endSessions(server, sessionsOf(server)));

afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.close();
});

const as = (key: string, agent = 'ann'): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'x-agent': agent,
});
const make = (key: string, body: unknown = {}, agent?: string): Promise<ApiAnswer> =>
  server.api('POST', '/api/v1/sessions', body, as(key, agent));
const idOf = ({ body }: ApiAnswer): string => z.object({ id: z.string() }).parse(body).id;
const end = (id: string): Promise<ApiAnswer> => server.api('DELETE', `/api/v1/sessions/${id}`);
const full = (setting: string, limit: number, used = limit): object => ({
  status: 429,
  body: {
    error: {
      code: 'QUOTA',
      message: expect.stringContaining(`${used} of ${limit}`),
      hint: expect.stringContaining(`LIMITS=${setting}=`),
      details: { limit, used, setting },
    },
  },
});

function connect(key: string, agent: string): Promise<unknown> {
  const client = connectClient(server.origin, { auth: { key, agent } });
  clients.push(client);
  return new Promise((resolve) => {
    client.once('connect', () => resolve('open'));
    client.once('connect_error', (error) => resolve('data' in error ? error.data : error));
  });
}

describe('caps that are counted by credential', () => {
  it("[BR7] a key has its number of sessions, whatever names its agents use, also for simultaneous requests; another key has its own, up to the server's limit", async () => {
    const own = await Promise.all([make(TEST_KEY, {}, 'ann'), make(TEST_KEY, {}, 'bob'), make(TEST_KEY, {}, 'cid')]);
    const made = own.filter(({ status }) => status === 201);
    expect(made).toHaveLength(2);
    expect(own.find(({ status }) => status !== 201)).toMatchObject({
      status: 429,
      body: { error: { code: 'QUOTA', details: { limit: 2, setting: 'sessions' } } },
    });
    const third = await make(other);
    expect([third.status, await make(other), await make(TEST_KEY)]).toMatchObject([
      201,
      full('sessions-server', 3),
      full('sessions', 2),
    ]);
    await Promise.all([...made, third].map((answer) => end(idOf(answer))));
  });

  it('[BR7] [SE1] the resources of a session count again after a restart, and are freed when the session ends', async () => {
    const id = idOf(await make(other));
    const record = await server.running.services.store.sessions.get(server.running.services.access.owner.workspace, id);
    expect(record?.maker).toMatch(/^key:k_/);
    await end(id);
    const [first, second] = [await make(other), await make(other)];
    expect([first.status, second.status, (await make(other)).status]).toEqual([201, 201, 429]);
    await Promise.all([first, second].map((answer) => end(idOf(answer))));
  });

  it('[BR7] tabs of a session, also those that a page opens, and of the server', async () => {
    const [one, two] = [idOf(await make(TEST_KEY)), idOf(await make(other))];
    const open = (session: string): Promise<ApiAnswer> => server.api('POST', `/api/v1/sessions/${session}/tabs`, {});
    expect([(await open(one)).status, (await open(one)).status, await open(one)]).toMatchObject([
      201,
      201,
      full('tabs', 3),
    ]);
    const inside = server.running.services.hub.get(server.running.services.access.owner.workspace, one);
    const told = new Promise((resolve) =>
      inside.timeline.onEvent.on(({ said }) => said?.code === 'popupNoRoom' && resolve(said)),
    );
    await server.act(one, { kind: 'evaluate', fn: '() => { window.open("about:blank"); }', tab: 't1' });
    expect([await told, inside.registry.all().length]).toEqual([{ code: 'popupNoRoom', limit: 3 }, 3]);
    expect([(await open(two)).status, (await open(two)).status]).toEqual([201, 201]);
    const three = await make(other);
    expect(three).toMatchObject(full('tabs-server', 6));
    expect((await server.api('GET', '/api/v1/sessions')).body).toHaveLength(2);
    await Promise.all([end(one), end(two)]);
  });

  it("[BR7] Chromes of sessions' own: of a key, and in all", async () => {
    const own = await make(TEST_KEY, { isolation: 'browser' });
    expect([own.status, await make(TEST_KEY, { isolation: 'browser' })]).toMatchObject([201, full('chromes', 1)]);
    expect(await make(other, { isolation: 'browser' })).toMatchObject(full('chromes-server', 2));
    await end(idOf(own));
    const again = await make(other, { isolation: 'browser' });
    expect(again.status).toBe(201);
    await end(idOf(again));
  });

  it('[BR7] connections: of a name, of a key, of the server; the handshake is refused', async () => {
    for (const client of clients.splice(0)) client.disconnect();
    const answers = [
      await connect(TEST_KEY, 'ann'),
      await connect(TEST_KEY, 'ann'),
      await connect(TEST_KEY, 'ann'),
      await connect(TEST_KEY, 'bob'),
      await connect(TEST_KEY, 'cid'),
      await connect(other, 'ann'),
      await connect(other, 'ann'),
    ];
    expect(answers).toMatchObject([
      'open',
      'open',
      { code: 'QUOTA', details: { setting: 'sockets-name', used: 2, limit: 2 } },
      'open',
      { code: 'QUOTA', details: { setting: 'sockets', used: 3 } },
      'open',
      { code: 'QUOTA', details: { setting: 'sockets-server', used: 4 } },
    ]);
    clients[0]?.disconnect();
    for (let answer: unknown; answer !== 'open';) answer = await connect(TEST_KEY, 'cid');
  });

  it('[BR7] events of one key count together, over all connections and names', async () => {
    const open = clients.filter(({ connected }) => connected);
    const codes = await Promise.all(
      Array.from(
        { length: 45 * open.length },
        (_, n) =>
          new Promise<string>((resolve) =>
            open[n % open.length]?.emit('wall.unwatch', {}, (ack: { ok: boolean }) =>
              resolve(ack.ok ? 'ok' : 'refused'),
            ),
          ),
      ),
    );
    // Two keys: 40 a second and 80 of a burst each.
    expect(codes.filter((code) => code === 'ok').length).toBeLessThanOrEqual(2 * (40 + 80) + 40);
  });
});

const MB = 1024 * 1024;
/** More than a Chrome with an empty page takes. */
const CAP_MB = 400;

describe.skipIf(process.platform !== 'linux')('memory', () => {
  it('[BR7] above memory-server a session, and above memory-session a tab, is refused with the figures, and running sessions continue', async () => {
    const limits = (setting: string): TestServerOptions => ({ env: { LIMITS: `${setting}=${CAP_MB}` } });
    const first = endsWithTest(await startTestServer(limits('memory-server')));
    const { id } = await first.session();
    await first.act(id, { kind: 'evaluate', fn: `() => { window.kept = new Uint8Array(${CAP_MB * MB}).fill(1); }` });
    await taken(first);
    const session = await first.api('POST', '/api/v1/sessions', {});
    await first.close({ keepChrome: true, keepData: true });
    // The page still has it.
    const second = endsWithTest(await startTestServer({ ...limits('memory-session'), dataDir: first.dataDir }));
    await taken(second);
    const tab = await second.api('POST', `/api/v1/sessions/${id}/tabs`, {});
    const goesOn = await second.act(id, { kind: 'tab', do: 'list' });

    const refused = (setting: string) => ({
      status: 429,
      body: {
        error: {
          code: 'QUOTA',
          hint: expect.stringContaining(`LIMITS=${setting}=${CAP_MB * 2}`),
          details: { setting, limit: CAP_MB, used: expect.any(Number) },
        },
      },
    });
    expect([session, tab]).toMatchObject([refused('memory-server'), refused('memory-session')]);
    expect(goesOn.ok).toBe(true);
  });
});

/** Settles when the Chromes of the server take more than the cap. */
async function taken({ running }: TestServer): Promise<void> {
  const { memory } = running.services.browsers;
  const bytes = async (): Promise<number> =>
    [...((await memory.read()) ?? new Map<unknown, number>()).values()].reduce((sum, one) => sum + one, 0);
  while ((await bytes()) < CAP_MB * MB) await new Promise((resolve) => setImmediate(resolve));
}
