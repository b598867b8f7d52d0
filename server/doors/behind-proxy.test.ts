import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '@/server/config/config';
import { freshLink } from '@/server/serve';
import { createLogger } from '@/server/telemetry/logger';
import { startReverseProxy, type ReverseProxy } from '@/server/testing/reverse-proxy';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { connectClient } from '@/server/testing/socket-client';

const HOST = 'wheel.example.com';

describe('a server behind a proxy of its operator', () => {
  let server: TestServer;
  const proxies: ReverseProxy[] = [];
  let addresses = 0;
  /** A proxy that nobody has used, with the address of a client that nobody has had. */
  const open = async (): Promise<string> => {
    addresses += 1;
    const proxy = await startReverseProxy(server.origin, `203.0.113.${addresses}`);
    proxies.push(proxy);
    return proxy.origin;
  };

  beforeAll(async () => {
    const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_HOPS: '1', CHROME_NO_SANDBOX: '1' };
    server = await startTestServer({ env });
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await server.close();
  });

  interface Got {
    readonly status: number;
    readonly body: string;
    readonly cookie: string;
  }

  /** One request as a proxy gets it: the connection goes to `origin`, the Host header names the public address. */
  function send(origin: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
    return new Promise((resolve, reject) => {
      request(`${origin}${path}`, { method, headers: { host: HOST, ...headers } }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('end', () => {
          const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
          resolve({ status: response.statusCode ?? 0, body, cookie });
        });
      })
        .once('error', reject)
        .end(method === 'POST' ? '{}' : undefined);
    });
  }

  const connected = (origin: string, headers: Record<string, string>): Promise<boolean> =>
    new Promise((resolve) => {
      const client = connectClient(origin, { headers: { host: HOST, ...headers } });
      client.once('connect', () => resolve(client.disconnect() && true));
      client.once('connect_error', () => resolve(client.disconnect() && false));
    });

  it('[AU1] a person signs in, changes something and connects by the public address', async () => {
    const origin = await open();
    const { cookie } = await send(
      origin,
      (await server.running.services.access.authentication.issueLink()).slice(`https://${HOST}`.length),
    );
    expect(cookie).toMatch(/^__Host-wh=/);
    const own = { cookie, origin: `https://${HOST}` };
    expect(await send(origin, '/api/v1/sessions', { cookie })).toMatchObject({ status: 200 });
    const json = { 'content-type': 'application/json' };
    expect(await send(origin, '/api/v1/keys', { ...own, ...json }, 'POST')).toMatchObject({ status: 400 });
    const foreign = { cookie, origin: 'https://evil.example', ...json };
    expect(await send(origin, '/api/v1/keys', foreign, 'POST')).toMatchObject({ status: 403 });
    expect(await connected(origin, own)).toBe(true);
    expect(await connected(origin, { ...own, origin: `http://${HOST}` })).toBe(false);
  });

  it('[AU1] a fresh link for who reads the data directory has the public address, also without the settings', async () => {
    const config = loadConfig({ DATA_DIR: server.dataDir }, { isRoot: false });
    const link = await freshLink(config, createLogger({ logLevel: 'silent' }));
    expect(link.startsWith(`https://${HOST}/sign-in?token=`)).toBe(true);
    const origin = await open();
    expect(await send(origin, link.slice(`https://${HOST}`.length))).toMatchObject({
      status: 302,
      cookie: expect.stringMatching(/^__Host-wh=/),
    });
  });

  it('[T26] [T15] wrong links count for the address that the proxy saw, whatever headers the caller forges', async () => {
    const [guesser, other] = await Promise.all([open(), open()]);
    const guess = async (origin: string, at: number): Promise<number> => {
      const address = `198.51.100.${at}`;
      const forged = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
      return (await send(origin, `/sign-in?token=${at}`, forged)).status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 32; at += 1) statuses.push(await guess(guesser, at));
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 302), 429, 429]);
    expect(await guess(other, 33)).toBe(302);
  });

  it('[T26] [T15] connections of strangers count for the address that the proxy saw', async () => {
    const [flood, other] = await Promise.all([open(), open()]);
    const wrong = (at: number) => ({ authorization: `Bearer wrong-${at}`, 'x-forwarded-for': `198.51.100.${at}` });
    // 10 in a second, and 20 more at once.
    const refusals = await Promise.all(
      Array.from({ length: 80 }, async (_, at) => {
        const { status } = await upgrade(flood, wrong(at));
        return status;
      }),
    );
    expect(refusals.filter((status) => status === 101).length).toBeLessThan(refusals.length);
    expect((await upgrade(other, wrong(1))).status).toBe(101);
    expect(await connected(flood, { authorization: `Bearer ${TEST_KEY}` })).toBe(true);
  });

  /** The answer to a WebSocket handshake. */
  function upgrade(origin: string, headers: Record<string, string>): Promise<{ status: number }> {
    const upgrading = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    return new Promise((resolve) => {
      request(`${origin}/socket.io/?EIO=4&transport=websocket`, {
        headers: { host: HOST, ...upgrading, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers },
      })
        .once('upgrade', (_, socket) => {
          socket.destroy();
          resolve({ status: 101 });
        })
        .once('response', (response) => resolve({ status: response.statusCode ?? 0 }))
        .once('error', () => resolve({ status: 0 }))
        .end();
    });
  }

  it('[T26] forwarded hosts and schemes are not read', async () => {
    const origin = await open();
    const forged = { 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', forwarded: `host=${HOST};proto=https` };
    expect(await send(origin, '/healthz', { ...forged, host: 'evil.example' })).toMatchObject({ status: 403 });
    const misled = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    expect(await send(origin, '/healthz', misled)).toMatchObject({ status: 200 });
  });

  it('[GU1] pages reach neither this computer nor its network, since other people open them', async () => {
    const { egress, access } = server.running.services;
    const fresh = { workspace: access.owner.workspace, policy: undefined };
    for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://10.0.0.1/', 'http://[fd00::1]/'])
      expect(await egress.would(fresh, url)).toMatchObject({ rule: 'private' });
    expect(await egress.would(fresh, 'http://93.184.216.34/')).toBeUndefined();
    const { body } = await server.api('GET', '/readyz');
    expect(JSON.stringify(body)).not.toContain('private addresses');
  });
});
