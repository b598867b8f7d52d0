import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectClient, type Client } from '@/server/testing/socket-client';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

/** Wrong links, pages that send people here and floods of strangers keep out nobody who may come in. */
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** As a browser sends it; `fetch` of Node has fetch metadata of its own. */
function get(
  path: string,
  headers: Record<string, string> = {},
  { origin } = server,
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, origin), { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    })
      .once('error', reject)
      .end();
  });
}

const link = async (): Promise<string> =>
  (await server.running.services.access.authentication.issueLink()).slice(server.origin.length);
/** Chromium 156 to a loopback address: without a click the header is absent. */
const navigation = (site: string, clicked: boolean): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  ...(clicked ? { 'sec-fetch-user': '?1' } : {}),
});

/** Sends raw bytes; returns the first line of the answer. */
function raw(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.once('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    socket.once('error', reject);
  });
}

describe('the sign-in link', () => {
  it('[AU1] [T15] forty-five wrong links block only wrong links: a right one still signs in', async () => {
    // On a server of its own: a second try has its own count.
    const guessed = await startTestServer();
    onTestFinished(() => guessed.close());
    const wrong = await Promise.all(
      Array.from({ length: 45 }, (_, n) => get(`/sign-in?token=${'x'.repeat(42)}${n % 10}`, {}, guessed)),
    );
    expect(wrong.filter(({ location }) => location === '/sign-in?used=1')).toHaveLength(30);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(15);
    const right = await guessed.running.services.access.authentication.issueLink();
    expect(await get(right, {}, guessed)).toEqual({ status: 302, location: '/' });
  });

  it.each(['cross-site', 'same-site'])(
    '[T1] a page that sends people here without their click (%s) neither spends the link nor counts as a try',
    async (site) => {
      const path = await link();
      expect(await get(path, navigation(site, false))).toMatchObject({ status: 403 });
      expect(await get(path, navigation(site, true))).toEqual({ status: 302, location: '/' });
    },
  );

  it('[AU1] opened from a terminal or a bookmark it signs in', async () => {
    expect(await get(await link(), navigation('none', true))).toEqual({ status: 302, location: '/' });
  });
});

describe('the sign-in page', () => {
  it('[AU2] a signed-out page leads to it, with the way back to itself', async () => {
    expect(await get('/')).toEqual({ status: 302, location: '/sign-in' });
    const location = '/sign-in?to=%2Fsessions%2Fs_1%3Fpanel%3Dpeople';
    expect(await get('/sessions/s_1?panel=people')).toEqual({ status: 302, location });
  });

  it.each(['/sign-in', '/sign-in?to=/settings/keys', '/invitation', '/new-password', '/s/sh_1'])(
    '[AU2] %s is open to everybody',
    async (path) => expect(await get(path)).toMatchObject({ location: undefined }),
  );

  it('[AU1] says whether anybody can sign in without a link of the server', async () => {
    const methods = async (): Promise<unknown> => (await fetch(`${server.origin}/api/v1/sign-in`)).json();
    expect(await methods()).toMatchObject({ accounts: false });
    const { access } = server.running.services;
    await access.accounts.setPassword(access.owner.id, 'a few words to remember');
    expect(await methods()).toMatchObject({ accounts: true });
  });
});

describe('a flood of handshakes', () => {
  const arrives = (client: Client): Promise<string> =>
    new Promise((resolve) => {
      client.once('connect', () => resolve('in'));
      client.once('connect_error', (error) => resolve(error.message));
    });

  it('[AU6] [BR7] strangers who exhaust the limit of their address keep out neither a signed-in person nor a key in the Authorization header', async () => {
    const cookie = await server.signIn();
    const { hostname, port, host } = new URL(server.origin);
    const lines = [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const knock = (): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
        socket.once('data', (chunk) => {
          resolve(String(chunk).split('\r\n', 1)[0] ?? '');
          socket.destroy();
        });
        socket.once('error', () => resolve('ended'));
      });
    const knocks = await Promise.all(Array.from({ length: 300 }, knock));
    const flood = Array.from({ length: 100 }, knock);
    const clients = [
      connectClient(server.origin, { headers: { cookie, origin: server.origin } }),
      connectClient(server.origin, { headers: { authorization: `Bearer ${TEST_KEY}` } }),
      connectClient(server.origin, {
        headers: { cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}`, origin: server.origin },
      }),
    ];
    const came = await Promise.all(clients.map(arrives));
    await Promise.all(flood);
    for (const client of clients) client.disconnect();

    expect(knocks.filter((answer) => answer.includes('101')).length).toBeLessThan(100);
    expect(came.slice(0, 2)).toEqual(['in', 'in']);
    expect(came[2]).not.toBe('in');
  });
});

describe('repeated headers', () => {
  it.each([
    ['Host', (host: string) => [`Host: ${host}`, 'Host: evil.example', `Authorization: Bearer ${TEST_KEY}`]],
    ['Host, the same', (host: string) => [`Host: ${host}`, `Host: ${host}`, `Authorization: Bearer ${TEST_KEY}`]],
    [
      'Authorization',
      (host: string) => [`Host: ${host}`, `Authorization: Bearer ${TEST_KEY}`, 'Authorization: Bearer wrong'],
    ],
    [
      'Origin',
      (host: string) => [
        `Host: ${host}`,
        `Origin: http://${host}`,
        'Origin: http://evil.example',
        `Authorization: Bearer ${TEST_KEY}`,
      ],
    ],
  ])('[AU6] %s is refused', async (_, headers) => {
    const { host } = new URL(server.origin);
    const answers = [
      await raw(['GET /api/v1/sessions HTTP/1.1', ...headers(host), 'Connection: close']),
      await raw([
        'GET /api/v1/sessions HTTP/1.1',
        `Host: ${host}`,
        `Authorization: Bearer ${TEST_KEY}`,
        'Connection: close',
      ]),
    ];
    expect(answers).toEqual([expect.stringMatching(/^HTTP\/1\.1 40[03] /), 'HTTP/1.1 200 OK']);
  });
});
