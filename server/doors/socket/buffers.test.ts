import { expect, it } from 'vitest';
import { bufferNewsSchema, withNews, type BufferNews } from '@/lib/buffers/news';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Buffers</title>');

it('[PS1] a follower of the buffers gets them at once, and then news and clearing', async () => {
  const { server } = fixture;
  const client = fixture.agent('watcher');
  const session = await fixture.open();
  const where = { session, tab: 't1' };
  await server.act(session, { kind: 'evaluate', fn: `() => { console.log('before'); }` });
  let lines: BufferNews['console']['items'] = [];
  const waiting = new Set<() => void>();
  const take = (news: BufferNews): void => {
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
  client.on('rings', (push) => take(bufferNewsSchema.parse(push.rings)));
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
