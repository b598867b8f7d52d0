import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timingsWith } from '@/server/config/timings';
import { selfSigned } from './testing/certificate';
import { startTestServer, TEST_KEY, type TestServer } from './testing/server';

const NAME = 'wheel.example.com';
const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-tls-'));
const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
const ENV = {
  PUBLIC_URL: `https://${NAME}`,
  TLS_CERT: certFile,
  TLS_KEY: keyFile,
  CHROME_NO_SANDBOX: '1',
};

const write = (pair: { cert: string; key: string }): void => {
  writeFileSync(keyFile, pair.key);
  writeFileSync(certFile, pair.cert);
};

const startError = (env: Record<string, string>): Promise<string> =>
  startTestServer({ env }).then(
    async (server) => {
      await server.close();
      return 'started';
    },
    (error: Error) => error.message,
  );

describe('a server that speaks https', () => {
  const log: string[] = [];
  let first: ReturnType<typeof selfSigned>;
  let server: TestServer;
  let port: number;

  beforeAll(async () => {
    first = selfSigned(NAME);
    write(first);
    server = await startTestServer({
      env: { ...ENV, PORT: '0' },
      timings: timingsWith({ certificateMs: 50 }),
      log: (line) => log.push(line),
    });
    port = server.running.port;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** One request by the public name, which no name service knows, to the server's own port. */
  function get(target: string, headers: Record<string, string> = {}): Promise<{ status: number; headers: unknown }> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: target, servername: NAME, ca: first.cert };
      request({ ...options, headers: { host: NAME, ...headers } }, (response) => {
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      })
        .once('error', reject)
        .end();
    });
  }

  /** The certificate that a new connection gets. */
  function served(): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString().trim() ?? '');
        socket.destroy();
      }).once('error', reject);
    });
  }

  it('[AU1] signs in by a link of its public address, with a cookie of that host alone', async () => {
    const { link } = server.running;
    expect(link.startsWith(`https://${NAME}/sign-in?token=`)).toBe(true);
    expect(await get(link.slice(`https://${NAME}`.length))).toMatchObject({
      status: 302,
      headers: {
        'strict-transport-security': 'max-age=31536000',
        'set-cookie': [
          expect.stringMatching(/^__Host-wh=[^;]+; .*; Secure$/),
          expect.stringMatching(/^__Host-wh-known=[^;]+; .*; Secure$/),
        ],
      },
    });
    expect(await get('/', { host: `127.0.0.1:${port}` })).toMatchObject({ status: 403 });
  });

  it('[AU1] takes sockets over TLS', async () => {
    const socket = io(`https://127.0.0.1:${port}`, {
      transports: ['websocket'],
      reconnection: false,
      ca: first.cert,
      // The client's types omit what its WebSocket takes.
      ...{ servername: NAME, extraHeaders: { host: NAME, authorization: `Bearer ${TEST_KEY}` } },
    });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    socket.disconnect();
  });

  it('[AU1] a renewed certificate is served; one that cannot be used is logged, and the last good one stays', async () => {
    expect(await served()).toBe(first.cert.trim());
    const renewed = selfSigned(NAME);
    write(renewed);
    await expect.poll(served).toBe(renewed.cert.trim());
    writeFileSync(keyFile, selfSigned(NAME).key);
    await expect.poll(() => log.filter((line) => line.includes('could not be renewed'))).toHaveLength(1);
    expect(await served()).toBe(renewed.cert.trim());
    write(first);
    await expect.poll(served).toBe(first.cert.trim());
  });

  it('[AU1] the certificate is read again at SIGHUP', async () => {
    const patient = await startTestServer({ env: ENV });
    const renewed = selfSigned(NAME);
    try {
      port = patient.running.port;
      expect(await served()).toBe(first.cert.trim());
      write(renewed);
      process.kill(process.pid, 'SIGHUP');
      await expect.poll(served).toBe(renewed.cert.trim());
    } finally {
      port = server.running.port;
      write(first);
      await patient.close();
    }
  });

  it('[AU1] files that are no certificate with its key stop the start in one sentence', async () => {
    const other = path.join(folder, 'other.pem');
    writeFileSync(other, selfSigned(NAME).key);
    expect(await startError({ ...ENV, TLS_KEY: other })).toMatch(
      /^TLS_CERT and TLS_KEY are no certificate with its private key \(.*mismatch.*\): give PEM files that belong together/,
    );
    expect(await startError({ ...ENV, TLS_CERT: path.join(folder, 'none.pem') })).toMatch(
      /^TLS_CERT cannot be read \(ENOENT.*\): give the path of a PEM file that this user may read\.$/,
    );
    expect(await startError({ ...ENV, TLS_KEY: certFile })).toMatch(/^TLS_CERT and TLS_KEY are no certificate/);
  });
});
