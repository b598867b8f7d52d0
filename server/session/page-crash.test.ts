import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/page-fixture';
import { startWeb } from '@/server/testing/web';
import { crashPage, until } from './testing/crashes';

const PAGE = '<!doctype html><input id="field">';

let server: TestServer;
beforeAll(async () => {
  server = await sharedTestServer();
});
afterAll(() => server.close());

describe('a page whose process crashes', () => {
  it('[F3][CO9] is opened again once, its form not sent again; the call under way is answered; at the next crash it waits, and a remedy helps', async () => {
    const methods: (string | undefined)[] = [];
    const web = await startWeb({
      '/': (request, response) => {
        methods.push(request.method);
        response
          .setHeader('content-type', 'text/html')
          .end(
            `<!doctype html><title>${String(request.method)}</title><form method="post"><button id="b">Buy</button></form>`,
          );
      },
    });
    const { id } = await server.session(`${web.origin}/`);
    await server.act(id, { kind: 'click', selector: '#b' });
    const waiting = server.act(id, { kind: 'evaluate', fn: '() => new Promise(() => {})', timeoutMs: 60_000 });
    await crashPage(server, id, 'pageCrashedMended');
    const cut = await waiting;
    const healthy = until(server, id, (session) => session.activeSessionTab().tab.health.state === 'ready');
    await healthy;
    const title = (await server.act(id, { kind: 'evaluate', fn: 'document.title' })).value;
    await crashPage(server, id, 'pageCrashedAgain');
    const refused = await server.act(id, { kind: 'press', key: 'a' });
    const helped = await server.act(id, { kind: 'remedy', do: 'reload' });
    const clicked = await server.act(id, { kind: 'focus', selector: '#b' });
    web.close();

    expect([cut.error?.code, title, refused.error?.code, helped.error, clicked.error]).toEqual([
      'TAB_CRASHED',
      'GET',
      'TAB_CRASHED',
      undefined,
      undefined,
    ]);
    expect(methods).toEqual(['GET', 'POST', 'GET', 'GET']);
  }, 40_000);

  it('[F3][CO9] waits for a person at once where its policy says so', async () => {
    const page = await serveHtml(PAGE);
    const made = await server.api('POST', '/api/v1/sessions', {
      url: `http://127.0.0.1:${page.port}/`,
      policy: { reloadCrashed: false },
    });
    const { id } = z.object({ id: z.string() }).parse(made.body);
    await crashPage(server, id, 'pageCrashed');
    const refused = await server.act(id, { kind: 'press', key: 'a' });
    const restarted = await server.act(id, { kind: 'remedy', do: 'restart' });
    const typed = await server.act(id, { kind: 'type', selector: '#field', text: 'works' });
    page.close();

    expect([refused.error?.code, restarted.error, typed.error]).toEqual(['TAB_CRASHED', undefined, undefined]);
  }, 40_000);
});
