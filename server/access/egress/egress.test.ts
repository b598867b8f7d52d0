import { once } from 'node:events';
import {
  createServer as createHttp,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import type { EgressPolicy } from '@/lib/egress/policy';
import { startCanary } from '@/server/testing/canary';
import { Egress, type Denial } from './egress';
import type { PrivateRanges } from './address';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A proxy with the sessions s_1 and s_2; `names` is the name service, which counts its questions. */
async function proxy(
  names: Record<string, string[] | Promise<string[]>> = {},
  policy: PrivateRanges = { privateRanges: 'allowed' },
) {
  const asked: string[] = [];
  const denied: Denial[] = [];
  const resolve = async (name: string): Promise<string[]> => {
    asked.push(name);
    return names[name] ?? [];
  };
  const egress = new Egress({ resolve, policy, now: () => monotonicClock.now(), count: () => undefined });
  ends.push(() => egress.dispose());
  egress.onDenied((denial) => void denied.push(denial));
  for (const id of ['s_1', 's_2']) egress.narrowSession(id, { workspace: 'w_1', policy: undefined });
  return { egress, port: await egress.open('s_1'), asked, denied };
}

async function listening(server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port.');
  return address.port;
}

const site = (listener: RequestListener): Promise<number> => listening(createHttp(listener));

/** One request through the proxy. */
async function ask(
  port: number,
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<IncomingMessage & { readonly text: string }> {
  const { method = 'GET', headers = {}, body } = options;
  const sent = request({
    host: '127.0.0.1',
    port,
    path: url,
    method,
    headers: { host: 'wrong.test', ...headers },
    agent: false,
  });
  sent.end(body);
  const [answer]: [IncomingMessage] = await new Promise((resolve, reject) =>
    sent.on('response', (one: IncomingMessage) => resolve([one])).on('error', reject),
  );
  return Object.assign(answer, { text: await text(answer) });
}

/** The answer to a raw connection to the proxy; `half`: our side ends after writing. */
async function raw(port: number, words: string, half = false): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  if (half) socket.end(words);
  else socket.write(words);
  const said = await text(socket);
  socket.destroy();
  return said;
}

describe('the egress proxy', () => {
  it('[GU1] forwards path, query, body and end-to-end headers; Host is that of the address; hop-by-hop and Proxy-* headers are dropped', async () => {
    const port = await site(
      (incoming, response) =>
        void text(incoming).then((body) =>
          response
            .writeHead(201, {
              'x-own': 'yes',
              'proxy-status': 'forged',
              connection: 'x-hop',
              'x-hop': '1',
              'set-cookie': ['a=1', 'b=2'],
            })
            .end(JSON.stringify({ url: incoming.url, headers: incoming.headers, body })),
        ),
    );
    const { port: by } = await proxy();
    const answer = await ask(by, `http://127.0.0.1:${port}/a%20b?c=d`, {
      method: 'POST',
      body: 'hello',
      headers: {
        'x-mine': '1',
        'proxy-authorization': 'secret',
        'proxy-connection': 'keep-alive',
        connection: 'x-gone',
        'x-gone': '1',
        'content-length': '5',
      },
    });
    const seen: { url: string; headers: Record<string, string>; body: string } = JSON.parse(answer.text);
    expect([
      answer.statusCode,
      answer.headers['x-own'],
      answer.headers['set-cookie'],
      answer.headers['proxy-status'],
      answer.headers['x-hop'],
    ]).toEqual([201, 'yes', ['a=1', 'b=2'], undefined, undefined]);
    expect([seen.url, seen.body, seen.headers['host'], seen.headers['x-mine']]).toEqual([
      '/a%20b?c=d',
      'hello',
      `127.0.0.1:${port}`,
      '1',
    ]);
    expect(Object.keys(seen.headers).filter((name) => name.startsWith('proxy-') || name === 'x-gone')).toEqual([]);
  });

  it('[GU1] streams: chunks are there before the end; HEAD has no body; early hints are followed by the answer', async () => {
    let finish = (): void => undefined;
    const port = await site((incoming, response) => {
      response.writeEarlyHints({ link: '</x.css>; rel=preload' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (incoming.method === 'HEAD') return void response.end();
      response.write('first');
      finish = () => response.end('last');
    });
    const { port: by } = await proxy();
    const sent = request({ host: '127.0.0.1', port: by, path: `http://127.0.0.1:${port}/`, agent: false }).end();
    const answer: IncomingMessage = await new Promise((resolve) => sent.on('response', resolve));
    const first = await new Promise((resolve) => answer.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    const rest = text(answer);
    finish();
    const head = await ask(by, `http://127.0.0.1:${port}/`, { method: 'HEAD' });
    expect([first, await rest, head.statusCode, head.text]).toEqual(['first', 'last', 200, '']);
  });

  it("[GU1] Expect: 100-continue is the server's to answer, and chunked bodies arrive", async () => {
    const server = createHttp();
    server.on('checkContinue', (incoming: IncomingMessage, response) => {
      response.writeContinue();
      void text(incoming).then((body) => response.end(body));
    });
    const port = await listening(server);
    const { port: by } = await proxy();
    const sent = request({
      host: '127.0.0.1',
      port: by,
      path: `http://127.0.0.1:${port}/`,
      method: 'POST',
      headers: { expect: '100-continue', 'transfer-encoding': 'chunked' },
      agent: false,
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write('a');
    sent.end('b');
    const answer: IncomingMessage = await new Promise((resolve) => sent.on('response', resolve));
    expect(await text(answer)).toBe('ab');
  });

  it('[GU1] CONNECT carries bytes both ways, and each direction ends by itself', async () => {
    const port = await listening(
      createServer({ allowHalfOpen: true }, (socket) => {
        let heard = '';
        socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('end', () => socket.end(`heard ${heard}`));
      }),
    );
    const { port: by } = await proxy();
    expect(await raw(by, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\nhello`, true)).toBe(
      'HTTP/1.1 200 Connection Established\r\n\r\nheard hello',
    );
  });

  it('[GU1] an upgrade without CONNECT is handed on', async () => {
    const server = createHttp();
    server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${incoming.headers.upgrade ?? ''}\r\nConnection: Upgrade\r\n\r\n`,
      );
      socket.once('data', (chunk: Buffer) => socket.end(`echo ${chunk.toString()}`));
    });
    const port = await listening(server);
    const { port: by } = await proxy();
    const said = await raw(
      by,
      `GET http://127.0.0.1:${port}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nping`,
    );
    expect(said).toMatch(/^HTTP\/1\.1 101 [^]*Upgrade: websocket[^]*\r\n\r\necho ping$/u);
  });

  it('[GU1] a client that disconnects ends the request at the server, and a server that breaks off ends the answer', async () => {
    let gone = (): void => undefined;
    const left = new Promise<void>((resolve) => (gone = resolve));
    const port = await site((incoming, response) => {
      response.on('close', gone);
      response.writeHead(200, { 'content-length': '100' }).write('part');
      if (incoming.url === '/break') setImmediate(() => response.destroy());
    });
    const { port: by } = await proxy();
    const sent = request({ host: '127.0.0.1', port: by, path: `http://127.0.0.1:${port}/`, agent: false }).end();
    await once(sent, 'response');
    sent.on('error', () => undefined);
    sent.destroy();
    await left;
    await expect(ask(by, `http://127.0.0.1:${port}/break`)).rejects.toThrow();
  });

  it('[GU1] resolves once, checks all addresses, and connects to a checked one', async () => {
    const port = await site((incoming, response) => void response.end(incoming.headers.host));
    const canary = await startCanary();
    ends.push(() => canary.close());
    const names: Record<string, string[]> = {
      'good.test': ['127.0.0.1'],
      'mixed.test': ['93.184.216.34', '127.0.0.1'],
    };
    const { egress, port: by, asked, denied } = await proxy(names);
    egress.debugPort('localhost', canary.port);
    expect((await ask(by, `http://good.test:${port}/`)).text).toBe(`good.test:${port}`);
    names['good.test'] = ['10.0.0.1'];
    expect((await ask(by, `http://good.test:${port}/again`)).text).toBe(`good.test:${port}`);
    const answer = await ask(by, `http://mixed.test:${canary.port}/`);
    expect([answer.statusCode, answer.headers['proxy-status'], asked, canary.hits()]).toEqual([
      403,
      expect.stringContaining('"debug-port"'),
      ['good.test', 'mixed.test'],
      0,
    ]);
    expect(denied).toMatchObject([
      {
        session: 's_1',
        rule: 'debug-port',
        host: 'mixed.test',
        port: canary.port,
        method: 'GET',
        url: `http://mixed.test:${canary.port}/`,
      },
    ]);
  });

  it('[GU1] decides again for each request: a port that becomes a debugging port is closed at once, with its open connections', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined).resume()));
    const { egress, port: by } = await proxy();
    const socket = connect(by, '127.0.0.1');
    socket.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    const ended = once(socket, 'close');
    const open = egress.debugPort('127.0.0.1', port);
    await ended;
    expect(await raw(by, `CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /u);
    open();
    const again = connect(by, '127.0.0.1');
    again.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(String((await once(again, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /u);
    again.destroy();
  });

  const toTest: EgressPolicy = { kind: 'listed', sites: ['*.test'] };
  const narrowings: [string, (egress: Egress) => void][] = [
    ['its workspace', (egress) => egress.narrowWorkspace('w_1', { kind: 'open' })],
    ['its session', (egress) => egress.narrowSession('s_1', { workspace: 'w_1', policy: { kind: 'open' } })],
    ['a list', (egress) => egress.narrowWorkspace('w_1', { kind: 'listed', sites: ['example.com'] })],
    ['the end of its session', (egress) => egress.forget('s_1')],
  ];

  it.each(narrowings)('[GU1] a connection that is being made while %s narrows it is not made', async (_, narrow) => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined).resume()));
    let resolve: (addresses: string[]) => void = () => undefined;
    const slow = new Promise<string[]>((answer) => (resolve = answer));
    const { egress, port: by, asked, denied } = await proxy({ 'slow.test': slow });
    const said = raw(by, `CONNECT slow.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`, true);
    await expect.poll(() => asked).toEqual(['slow.test']);
    narrow(egress);
    resolve(['127.0.0.1']);
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
    expect(denied).toMatchObject([{ session: 's_1', host: 'slow.test' }]);
  });

  it('[GU1] a change of its policy ends open connections, and the same policy again ends none', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined).pipe(socket)));
    const { egress, port: by } = await proxy({ 'a.test': ['127.0.0.1'] });
    egress.narrowWorkspace('w_1', toTest);
    const socket = connect(by, '127.0.0.1').on('error', () => undefined);
    socket.write(`CONNECT a.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    egress.narrowWorkspace('w_1', structuredClone(toTest));
    egress.narrowSession('s_1', { workspace: 'w_1', policy: undefined });
    const next = Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => 'closed')]);
    socket.write('still here');
    expect(await next).toBe('still here');
    const closed = once(socket, 'close');
    egress.narrowWorkspace('w_1', undefined);
    await closed;
  });

  it('[GU1] a session without a policy entry has no way out', async () => {
    const port = await site((_, response) => void response.end('reached'));
    const { egress } = await proxy();
    const unknown = await egress.open('s_unknown');
    const url = `http://127.0.0.1:${port}/`;
    expect((await ask(unknown, url)).statusCode).toBe(403);
    expect(await egress.would({ session: 's_unknown' }, url)).toMatchObject({ rule: 'no-session', by: 'server' });
    egress.narrowSession('s_unknown', { workspace: 'w_1', policy: undefined });
    expect((await ask(unknown, url)).text).toBe('reached');
  });

  it('[GU1] its own ports are closed to pages, and a Chrome without a session has no way out', async () => {
    const { egress, port: by } = await proxy();
    const floor = await egress.openFloor('b_1');
    const other = await egress.open('s_2');
    const port = await site((_, response) => void response.end('reached'));
    const statuses = await Promise.all([
      ask(by, `http://127.0.0.1:${other}/`),
      ask(by, `http://localhost:${floor}/`),
      ask(by, `http://[::1]:${by}/`),
      ask(floor, `http://127.0.0.1:${port}/`),
    ]);
    expect(statuses.map(({ headers }) => /details="(.*)"/u.exec(String(headers['proxy-status']))?.[1])).toEqual([
      'own-port',
      'own-port',
      'own-port',
      'no-session',
    ]);
    expect((await ask(by, '/not-a-proxy-request')).statusCode).toBe(400);
  });

  it('[GU1] an unreachable address gets no answer of ours, and the reason is known', async () => {
    const { egress, port: by } = await proxy();
    await expect(ask(by, 'http://127.0.0.1:1/')).rejects.toThrow();
    await expect(ask(by, 'http://nowhere.test/')).rejects.toThrow();
    expect([egress.ending('s_1', 'http://127.0.0.1:1/x'), egress.ending('s_1', 'http://nowhere.test/')]).toEqual([
      { error: 'net::ERR_CONNECTION_REFUSED' },
      { error: 'net::ERR_NAME_NOT_RESOLVED' },
    ]);
  });

  it('[GU1 T2] where private ranges are closed, none of their names and addresses can be reached', async () => {
    const port = await site((_, response) => void response.end('reached'));
    const { port: by } = await proxy({ 'rebound.test': ['93.184.216.34', '10.0.0.1'] }, { privateRanges: 'denied' });
    const statuses = await Promise.all(
      [
        '127.0.0.1',
        'localhost',
        'x.localhost',
        'printer.local',
        'rebound.test',
        '[::ffff:10.0.0.1]',
        '192.168.0.1',
      ].map(async (host) => (await ask(by, `http://${host}:${port}/`)).statusCode),
    );
    expect(statuses).toEqual(Array(7).fill(403));
  });

  it('[GU1] where private ranges are closed, the shop of the demo is open by its own address only, while it runs', async () => {
    const port = await site((_, response) => void response.end('shop'));
    const other = await site((_, response) => void response.end('other'));
    const { egress, port: by } = await proxy({ 'rebound.test': ['127.0.0.1'] }, { privateRanges: 'denied' });
    const status = async (host: string): Promise<number | undefined> => (await ask(by, `http://${host}/`)).statusCode;
    const shut = egress.openHere(port);
    expect(await status(`127.0.0.1:${port}`)).toBe(200);
    expect(await status(`127.0.0.1:${other}`)).toBe(403);
    expect(await status(`localhost:${port}`)).toBe(403);
    expect(await status(`rebound.test:${port}`)).toBe(403);
    shut();
    expect(await status(`127.0.0.1:${port}`)).toBe(403);
  });

  it.each([
    ['CONNECT', (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'an upgrade',
      (port: number) =>
        `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ],
  ])('[GU1] %s before the answer to an earlier request ends that connection only', async (_, words) => {
    const port = await site((incoming, response) => void (incoming.url === '/never' || response.end('ok')));
    const { egress, port: by } = await proxy();
    egress.debugPort('127.0.0.1', 9);
    for (const to of [9, 1, port])
      expect(await raw(by, `GET http://127.0.0.1:${port}/never HTTP/1.1\r\nHost: x\r\n\r\n${words(to)}`)).toBe('');
    expect((await ask(by, `http://127.0.0.1:${port}/`)).text).toBe('ok');
  });

  it('[GU1][AC6] buffers nothing of a stream that its page does not read, and answers another session meanwhile', async () => {
    const [whole, piece] = [512, Buffer.alloc(1_048_576)];
    let sent = 0;
    const endless = await site((_, response) => {
      const go = (): void => {
        while (sent < whole && !response.destroyed) {
          sent += 1;
          if (!response.write(piece)) return void response.once('drain', go);
        }
      };
      go();
    });
    const small = await site((_, response) => response.end('small'));
    const { egress, port } = await proxy();
    const other = await egress.open('s_2');
    const stalled = connect({ port, host: '127.0.0.1' });
    ends.push(() => stalled.destroy());
    stalled.write(`GET http://127.0.0.1:${endless}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(stalled, 'readable');
    const answers: string[] = [];
    for (let call = 0; call < 100; call += 1) answers.push((await ask(other, `http://127.0.0.1:${small}/`)).text);

    expect(answers).toEqual(answers.map(() => 'small'));
    // No more than the system's own buffers for the four ends of two connections.
    expect(sent).toBeLessThan(64);
  });

  it('[GU1] after dispose nothing stays open, and the port can be used again', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined).resume()));
    const { egress, port: by } = await proxy();
    const socket = connect(by, '127.0.0.1');
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await egress.dispose();
    await closed;
    const { egress: next } = await proxy();
    expect(await next.open('s_9', by)).toBe(by);
  });
});
