import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHtml } from '@/server/testing/stage';
import { startTestServer, type TestServer } from '@/server/testing/server';

/** What a caller's text may cost everybody else: nothing that they notice. */
let server: TestServer;
let site: Awaited<ReturnType<typeof serveHtml>>;

beforeAll(async () => {
  [server, site] = await Promise.all([startTestServer(), serveHtml(`<!doctype html><title>Pots</title><button>${'a'.repeat(60)}!</button>`)]);
});

afterAll(async () => {
  site.close();
  await server.close();
});

const MARKER_MS = 3_000;

describe('patterns of callers', () => {
  it('[SN9] [BR7] thirty names of one key that look for a catastrophic pattern do not keep /healthz and timers from going on', async () => {
    const { id } = await server.session(`http://127.0.0.1:${site.port}/`);
    await server.act(id, { kind: 'wait', loadState: 'load' });
    const order: string[] = [];
    const marker = setTimeout(() => order.push('marker'), MARKER_MS);
    const path = `/api/v1/sessions/${id}/tabs/active/snapshot?findRegex=${encodeURIComponent('"(a+)+$')}`;
    const looks = Array.from({ length: 30 }, (_, name) => server.api('GET', path, undefined, { 'x-agent': `watcher ${name}` }));
    for (let tries = 0; tries < 20; tries += 1) {
      await fetch(`${server.origin}/healthz`);
      order.push('healthy');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const answers = await Promise.all(looks);
    clearTimeout(marker);

    expect(order.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'healthy'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  });
});
