import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '@/server/testing/server';

const PAGES: Readonly<Record<string, string>> = {
  '/': '<h1>Home</h1>',
  '/stuck': '<script>addEventListener("load", () => { for (;;); })</script>',
  '/unsaved': '<button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
};

let server: TestServer;
let site: Server;
let origin: string;

beforeAll(async () => {
  server = await startTestServer();
  site = createServer((request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[request.url ?? '/'] ?? ''));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  origin = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server.close();
});

const go = (path: string, more: object = {}): object => ({ kind: 'navigate', url: `${origin}${path}`, ...more });

describe('a page that hangs while nobody watches it', () => {
  it('[EV4] is left for another of its site, its script stopped first', async () => {
    const { id } = await server.session(origin);
    await server.act(id, go('/stuck', { timeoutMs: 500 }));
    const reply = await server.act(id, go('/', { timeoutMs: 15_000 }));
    expect([reply.error, reply.warnings, (await server.snapshot(id)).text]).toEqual([undefined, ['A running script was stopped first.'], '- heading "Home" [level=1]']);
  }, 40_000);

  it('[CO9] what runs out of time on it says that it does not answer, and what helps', async () => {
    const { id } = await server.session(origin);
    await server.act(id, go('/stuck', { timeoutMs: 500 }));
    const { error } = await server.act(id, { kind: 'click', selector: 'h1', timeoutMs: 8_000 });
    expect([error?.code, error?.hint]).toEqual(['TAB_UNRESPONSIVE', expect.stringContaining('remedy')]);
    expect((await server.act(id, { kind: 'remedy', do: 'stop-script' })).error).toBeUndefined();
  }, 40_000);
});

describe('a page that asks before it is left', () => {
  it('[DI1] stays, and the navigation says so, until the question is answered', async () => {
    const { id } = await server.session(origin);
    await server.act(id, go('/unsaved'));
    await server.act(id, { kind: 'click', role: 'button' });
    const replies = [await server.act(id, go('/')), await server.act(id, { kind: 'history', go: 'back' })];
    expect(replies.map(({ ok, url, error }) => [ok, url, error?.code])).toEqual(replies.map(() => [false, `${origin}/unsaved`, 'DIALOG_OPEN']));
    const answered = await server.act(id, { kind: 'dialog', do: 'answer', accept: true });
    const arrived = await server.act(id, { kind: 'wait', text: 'Home' });
    expect([answered.ok, arrived.ok]).toEqual([true, true]);
  }, 40_000);
});
