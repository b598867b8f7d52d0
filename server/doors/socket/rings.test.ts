import { afterAll, beforeAll, expect, it } from 'vitest';
import { ringsNewsSchema, withNews, type RingsNews } from '@/lib/rings/news';
import { serveHtml } from '@/server/testing/stage';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

let server: TestServer;
let page: { port: number; close: () => void };
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  page = await serveHtml('<title>Rings</title>');
  client = connectClient(server.origin, { auth: { key: TEST_KEY, agent: 'watcher' } });
});

afterAll(async () => {
  client.disconnect();
  page.close();
  await server.close();
});

it('[PS1] whoever follows the rings has them at once, and is told what is new and what was cleared', async () => {
  const { id: session } = await server.session(`http://127.0.0.1:${page.port}/`);
  const where = { session, tab: 't1' };
  await server.act(session, { kind: 'evaluate', fn: `() => { console.log('before'); }` });
  let lines: RingsNews['console']['items'] = [];
  const waiting = new Set<() => void>();
  const take = (news: RingsNews): void => {
    lines = [...withNews(lines, news.console)];
    for (const look of waiting) look();
  };
  const texts = (wanted: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (lines.map(({ text }) => text).join() !== wanted.join()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  client.on('rings', (push) => take(ringsNewsSchema.parse(push.rings)));
  await ask(client, 'session.join', { session });
  const first = await ask(client, 'rings.watch', where);
  if (first.ok) take(first.data.rings);
  await texts(['before']);
  await server.act(session, { kind: 'evaluate', fn: `() => { console.log('after'); }` });
  await texts(['before', 'after']);
  await server.api('DELETE', `/api/v1/sessions/${session}/tabs/t1/console`);
  await texts([]);
  const left = await ask(client, 'rings.unwatch', where);

  expect([first.ok, left.ok]).toEqual([true, true]);
});
