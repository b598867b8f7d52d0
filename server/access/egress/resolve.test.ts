import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { Egress } from './egress';
import { EGRESS_LIMITS } from './limits';
import { systemResolver } from './resolve';

const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-names-'));
const hostsFile = path.join(folder, 'hosts');
/**
 * A name server that gives each question back with a code: SERVFAIL, as for names whose own servers are silent, or
 * NXDOMAIN.
 */
function nameServer(code: number): ReturnType<typeof createSocket> {
  const socket = createSocket('udp4').on('message', (question, { port }) => {
    question.writeUInt16BE(0x8180 + code, 2);
    socket.send(question, port, '127.0.0.1');
  });
  return socket;
}
const failing = nameServer(2);
const ignorant = nameServer(3);
const addressOf = (socket: typeof failing): string => `127.0.0.1:${socket.address().port}`;

beforeAll(async () => {
  writeFileSync(
    hostsFile,
    '127.0.0.9  app.example.test App # mine.example.test\n::1 app.example.test\nnonsense here\n',
  );
  for (const socket of [failing, ignorant]) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
});

afterAll(() => {
  failing.close();
  ignorant.close();
  rmSync(folder, { recursive: true });
});

describe('the name service of pages', () => {
  it('[GU1] the hosts file goes before the name servers, with and without a dot at the end', async () => {
    const resolve = systemResolver({
      hostsFile,
      servers: [addressOf(failing)],
      system: () => Promise.resolve(['192.0.2.1']),
    });
    expect(await Promise.all(['app.example.test', 'APP.example.test.', 'app', 'here'].map(resolve))).toEqual([
      ['127.0.0.9', '::1'],
      ['127.0.0.9', '::1'],
      ['127.0.0.9'],
      ['192.0.2.1'],
    ]);
  });

  it('[GU1] asks the system for names that the name servers do not know, two at once, but not for names that they never answer', async () => {
    let most = 0;
    const asking: (() => void)[] = [];
    const system = (): Promise<string[]> =>
      new Promise((resolve) => {
        asking.push(() => resolve(['192.0.2.1']));
        most = Math.max(most, asking.length);
        setTimeout(() => asking.shift()?.(), 5);
      });
    const known = systemResolver({ hostsFile, servers: [addressOf(ignorant)], system });
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, n) => known(n % 2 === 0 ? `n${n}` : `n${n}.example.test`)),
    );
    expect([found.length, most]).toEqual([20, EGRESS_LIMITS.systemNames]);

    const unanswered = systemResolver({
      hostsFile,
      servers: [addressOf(failing)],
      system: () => Promise.reject(new Error('The system was asked.')),
    });
    await expect(unanswered('never.example.test')).rejects.toThrow('The name servers do not answer');
  });

  it('[GU1] a debugging port that was attached by name stays closed while that name cannot be looked up', async () => {
    let names: Record<string, string[]> = { 'chrome.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
    let now = 0;
    const resolve = (name: string): Promise<string[]> =>
      names[name] ? Promise.resolve(names[name]) : Promise.reject(new Error('No answer.'));
    const egress = new Egress({
      resolve,
      policy: { privateRanges: 'allowed' },
      now: () => now + monotonicClock.now(),
      count: () => undefined,
    });
    egress.debugPort('chrome.test', 9222);
    const look = () =>
      Promise.all(
        ['http://127.0.0.1:9222/', 'http://chrome.test.:9222/', 'http://other.test:9222/'].map(
          async (url) => (await egress.would({ workspace: 'w', policy: undefined }, url))?.rule,
        ),
      );
    const closed = ['debug-port', 'debug-port', 'debug-port'];
    expect(await look()).toEqual(closed);
    now += EGRESS_LIMITS.namesMs;
    names = { 'other.test': ['127.0.0.1'] };
    expect(await look()).toEqual(closed);
    await egress.dispose();
  });
});
