import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { timelineEventSchema } from '@/lib/protocol/views';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/page-fixture';

let server: TestServer;
let page: { port: number; close: () => void };
beforeAll(async () => {
  page = await serveHtml(
    '<!doctype html><title>t</title><button onclick="this.textContent = String(prompt(\'name?\'))">ask</button>',
  );
  server = await sharedTestServer();
});
afterAll(async () => {
  await server.close();
  page.close();
});

describe('armed dialogs', () => {
  it('[DI1] the last armed answer wins, and everybody is told which one it replaced', async () => {
    const { id } = await server.session(`http://127.0.0.1:${page.port}/`, 'bot');
    await server.act(id, { kind: 'dialog', do: 'arm', accept: false }, 'bot');
    const second = await server.act(id, { kind: 'dialog', do: 'arm', accept: true, promptText: 'Ada' }, 'bot');
    expect([second.ok, second.warnings]).toEqual([true, ['An answer that was armed before is replaced by this one.']]);
    await server.act(id, { kind: 'click', selector: 'button' }, 'bot');
    expect(await server.act(id, { kind: 'extract', what: 'text', selector: 'button' }, 'bot')).toMatchObject({
      ok: true,
      value: { text: 'Ada' },
    });
    const rows = z
      .array(timelineEventSchema)
      .parse((await server.api('GET', `/api/v1/sessions/${id}/timeline?limit=100`)).body);
    expect(rows.filter(({ text }) => /had armed for the next dialog/.test(text))).toHaveLength(1);
  });
});
