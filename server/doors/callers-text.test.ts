import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAction } from '@/lib/actions/parse';
import { WheelhouseError } from '@/lib/errors/error';
import { fitsRequests } from '@/lib/buffers/filter';
import { stepInText } from '@/lib/steps/parse';
import { matchesGlob } from '@/lib/text/glob';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** Texts of one caller must not noticeably delay others. */
let server: TestServer;
let site: Awaited<ReturnType<typeof serveHtml>>;

beforeAll(async () => {
  [server, site] = await Promise.all([
    sharedTestServer(),
    serveHtml(`<!doctype html><title>Pots</title><button>${'a'.repeat(60)}!</button>`),
  ]);
});

afterAll(async () => {
  site.close();
  await server.close();
});

const MARKER_MS = 10_000;

describe('patterns of callers', () => {
  it('[SN9] [BR7] thirty agent names of one key with a catastrophic pattern do not block /healthz and timers', async () => {
    const { id } = await server.session(`http://127.0.0.1:${site.port}/`);
    await server.act(id, { kind: 'wait', loadState: 'load' });
    const order: string[] = [];
    const marker = setTimeout(() => order.push('marker'), MARKER_MS);
    const path = `/api/v1/sessions/${id}/tabs/active/snapshot?findRegex=${encodeURIComponent('"(a+)+$')}`;
    const looks = Array.from({ length: 30 }, (_, name) =>
      server.api('GET', path, undefined, { 'x-agent': `watcher ${name}` }),
    );
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

const ENTRIES = Array.from({ length: 50 }, () => ({
  url: 'a'.repeat(2_048),
  type: 'xhr',
  method: 'GET',
  state: 'done' as const,
  status: 200,
}));
const WIDE = { kind: 'click', ...Object.fromEntries(Array.from({ length: 100_000 }, (_, field) => [`f${field}`, 1])) };

/** The longest that the doors let in, made to be as slow as can be. */
const WORST: readonly (readonly [what: string, work: () => unknown])[] = [
  ['a glob over a buffer of requests', () => ENTRIES.filter(fitsRequests({ url: `${'*a'.repeat(249)}b` }))],
  ['a glob that is held against an address', () => matchesGlob('a'.repeat(2_048), `${'**a'.repeat(682)}b`)],
  ['a text whose every line begins a step that nothing ends', () => stepInText('click a={\n'.repeat(5_000))],
  ['a text of empty lines', () => stepInText('\n'.repeat(50_000))],
  ['an action of a hundred thousand fields', () => parseAction(WIDE)],
];

describe('texts of callers', () => {
  it.each(WORST)('[BR7] [AU6] %s is read before a marker, twenty times', async (_, work) => {
    const order: string[] = [];
    const marker = setTimeout(() => order.push('marker'), MARKER_MS);
    for (let time = 0; time < 20; time += 1) {
      try {
        work();
      } catch (error) {
        order.push(error instanceof WheelhouseError ? error.code : String(error));
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    order.push('done');
    clearTimeout(marker);

    expect(order).not.toContain('marker');
    expect(order.at(-1)).toBe('done');
  });
});
