import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { startWeb, type Web } from '@/server/testing/web';
import { until } from '../testing/crashes';
import { INPUT_MAY_BE_LOST } from './settle';

const FORM = `<form action="/sent"><input name="q"></form>
<script>addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'Enter') location.href = '/sent'; })</script>`;

let server: TestServer;
let web: Web;
/** The session whose page is asked for `/next`. */
let typing = '';
beforeAll(async () => {
  server = await sharedTestServer();
  web = await startWeb({
    '/': `<script>addEventListener('keydown', () => { location.href = '/next'; }, { once: true })</script>`,
    '/form': FORM,
    '/sent': 'Sent',
    '/next': (_, response) => {
      const asked = until(server, typing, (session) => session.activeSessionTab().tab.page.awaited !== undefined);
      void asked.then(() => response.setHeader('content-type', 'text/html').end('Next'));
    },
  });
});
afterAll(async () => {
  web.close();
  await server.close();
});

describe('input between two pages', () => {
  it('[AC3][AC4] of a text whose first key leads to another page the reply warns that a part may be lost', async () => {
    const { id } = await server.session(`${web.origin}/`);
    typing = id;
    const reply = await server.act(id, { kind: 'type', text: 'abcd', mode: 'append', slowly: true });

    expect([reply.ok, reply.navigated, reply.warnings.includes(INPUT_MAY_BE_LOST)]).toEqual([true, true, true]);
  });

  it('[AC3][AC4] of input that itself leads to another page, by its last event, there is no warning', async () => {
    const { id } = await server.session(`${web.origin}/form`);
    const replies = [];
    for (const action of [
      { kind: 'type', selector: 'input', text: 'x', submit: true },
      { kind: 'press', key: 'Control+Enter' },
    ]) {
      await server.act(id, { kind: 'navigate', url: `${web.origin}/form` });
      replies.push(await server.act(id, action));
    }

    expect(replies.map(({ ok, navigated, warnings }) => ({ ok, navigated, warnings }))).toEqual([
      { ok: true, navigated: true, warnings: [] },
      { ok: true, navigated: true, warnings: [] },
    ]);
  });
});
