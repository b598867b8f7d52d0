import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '@/server/testing/certificate';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { ask, connectClient } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const HOST = 'wheel.example.com';
const NO_NGINX = 'nginx is not installed, so nothing was proven: apt-get install nginx-light, and run this again';
const START_MS = 10_000;
/** Larger than what nginx takes of a body by itself. */
const UPLOAD_BYTES = 8_000_000;
const GUESSES = 40;

/** T26: the settings for nginx in the README, in a real nginx with TLS. */
export const nginxProxy: Campaign = {
  id: 'T26',
  about: 'the README’s nginx in front: sign-in, WebSocket, uploads and limits work by the public address',
  full: 1,
  bare: true,
  round: async (fixture) => {
    if (spawnSync('nginx', ['-v']).error) return NO_NGINX;
    const port = await freePort();
    const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_HOPS: '1', CHROME_NO_SANDBOX: '1' };
    const server = await startTestServer({ env });
    const nginx = new Nginx(port, new URL(server.origin).host);
    try {
      await nginx.start();
      return await problemOf(fixture, server, port);
    } finally {
      nginx.stop();
      await server.close();
    }
  },
};

/** What did not hold; undefined: all did. */
async function problemOf(fixture: CampaignFixture, server: TestServer, port: number): Promise<string | undefined> {
  const send = (target: string, init: Sent = {}): Promise<Got> => sendBy(port, target, init);
  const link = server.running.link.slice(`https://${HOST}`.length);
  const { cookie, status: opened } = await send(link);
  if (opened !== 302 || !cookie.startsWith('__Host-wh=')) return `the sign-in link was answered ${opened}`;
  fixture.count('sign-ins');
  const own = { cookie, origin: `https://${HOST}` };
  const { status: changed } = await send('/api/v1/keys', { ...json('{"name":"proof"}'), method: 'POST', headers: own });
  if (changed !== 201) return `a change by cookie was answered ${changed}`;
  const foreign = { cookie, origin: 'https://evil.example' };
  const { status: forged } = await send('/api/v1/keys', { ...json('{"name":"x"}'), method: 'POST', headers: foreign });
  if (forged !== 403) return `a change of another site was answered ${forged}`;
  return (await liveProblem(fixture, server, port, own)) ?? (await limitProblem(fixture, send));
}

/** A WebSocket that carries pictures, and a large upload. */
async function liveProblem(
  fixture: CampaignFixture,
  server: TestServer,
  port: number,
  headers: Record<string, string>,
): Promise<string | undefined> {
  const { id } = await server.session();
  const client = connectClient(`https://127.0.0.1:${port}`, {
    headers: { host: HOST, ...headers },
    rejectUnauthorized: false,
  });
  try {
    const connected = await new Promise<string | undefined>((resolve) => {
      client.once('connect', () => resolve(undefined));
      client.once('connect_error', (error) => resolve(error.message));
    });
    if (connected !== undefined) return `the WebSocket did not connect: ${connected}`;
    const joined = await ask(client, 'session.join', { session: id });
    if (!joined.ok) return `a session could not be joined: ${JSON.stringify(joined)}`;
    fixture.count('WebSockets');
  } finally {
    client.disconnect();
  }
  const authorization = `Bearer ${TEST_KEY}`;
  const { status } = await sendBy(port, `/api/v1/sessions/${id}/files/large.bin`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(UPLOAD_BYTES, 'x'),
  });
  fixture.count('uploaded bytes', UPLOAD_BYTES);
  return status < 300 ? undefined : `an upload of ${UPLOAD_BYTES} bytes was answered ${status}`;
}

/** The limits count a caller by their own address, whatever address they write into the header. */
async function limitProblem(
  fixture: CampaignFixture,
  send: (target: string, init?: Sent) => Promise<Got>,
): Promise<string | undefined> {
  const statuses: number[] = [];
  for (let at = 0; at < GUESSES; at += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${at}`, 'x-real-ip': `198.51.100.${at}` };
    statuses.push((await send(`/sign-in?token=${at}`, { headers })).status);
  }
  fixture.count('wrong links with forged addresses', GUESSES);
  const refused = statuses.filter((status) => status === 429).length;
  return refused === GUESSES - 30
    ? undefined
    : `${refused} of ${GUESSES} wrong links were refused, and 30 are let through`;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

interface Got {
  readonly status: number;
  readonly cookie: string;
}

const json = (body: string): Sent => ({ body });

function sendBy(port: number, target: string, { method = 'GET', headers = {}, body }: Sent): Promise<Got> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const options = { method, rejectUnauthorized: false, headers: { host: HOST, ...type, ...headers } };
  return new Promise((resolve, reject) => {
    request(`https://127.0.0.1:${port}${target}`, options, (response) => {
      response.resume();
      const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      resolve({ status: response.statusCode ?? 0, cookie });
    })
      .once('error', reject)
      .end(body);
  });
}

/** A real nginx with the server block of the README; only its port, its files and the address behind it differ. */
class Nginx {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-nginx-'));
  #process: ChildProcess | undefined;

  constructor(
    private readonly port: number,
    private readonly upstream: string,
  ) {}

  async start(): Promise<void> {
    const { cert, key } = selfSigned(HOST);
    writeFileSync(path.join(this.#folder, 'cert.pem'), cert);
    writeFileSync(path.join(this.#folder, 'key.pem'), key, { mode: 0o600 });
    writeFileSync(path.join(this.#folder, 'nginx.conf'), this.#config());
    const child = spawn('nginx', ['-p', this.#folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'pipe' });
    this.#process = child;
    const said: string[] = [];
    child.stderr.on('data', (chunk) => said.push(String(chunk)));
    const gone = new Promise<never>((_, reject) =>
      child.once('exit', () => reject(new Error(`nginx did not start: ${said.join('').slice(0, 1_000)}`))),
    );
    await Promise.race([gone, this.#answers()]);
    gone.catch(() => undefined);
  }

  stop(): void {
    this.#process?.kill('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    const end = performance.now() + START_MS;
    while (performance.now() < end) {
      const up = await sendBy(this.port, '/healthz', {}).then(
        () => true,
        () => false,
      );
      if (up) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('nginx does not answer.');
  }

  #config(): string {
    const [, block] = /```nginx\n([\s\S]*?)```/.exec(readFileSync(README, 'utf8')) ?? [];
    if (block === undefined) throw new Error('The README has no settings for nginx.');
    const own = block
      .replace(/listen [^;]*;/g, `listen 127.0.0.1:${this.port} ssl;`)
      .replace(/ssl_certificate [^;]*;/, 'ssl_certificate cert.pem;')
      .replace(/ssl_certificate_key [^;]*;/, 'ssl_certificate_key key.pem;')
      .replace(/http:\/\/127\.0\.0\.1:\d+/, `http://${this.upstream}`);
    const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
    return `daemon off;\npid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temp.join('\n')}\n${own}\n}\n`;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port = 0 }: Partial<AddressInfo> = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
