import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tab } from '@/server/browser/tab';
import { serveHtml } from '@/server/testing/stage';
import { startTestServer, type TestServer } from '@/server/testing/server';

const PAGE = `<!doctype html><title>Engines</title><button id="b" onclick="window.n = (window.n ?? 0) + 1">Press "me"</button>`;

let server: TestServer;
let page: { port: number; close: () => void };

beforeAll(async () => {
  server = await startTestServer();
  page = await serveHtml(PAGE);
});

afterAll(async () => {
  page.close();
  await server.close();
});

const open = async (): Promise<string> => (await server.session(`http://127.0.0.1:${page.port}/`)).id;

function tabOf(id: string): Tab {
  return server.running.services.hub.get(server.running.services.access.owner.workspace, id).activeSeat().tab;
}

describe('the engine of a script', () => {
  it('[EV7] is CDP unless something else is asked for, and the reply says which', async () => {
    const id = await open();
    const replies = [await server.act(id, { kind: 'evaluate', fn: '1' }), await server.act(id, { kind: 'evaluate', fn: '(a) => a * 2', args: [21], engine: 'page' })];

    expect(replies).toMatchObject([
      { ok: true, value: 1, engine: 'cdp', warnings: [] },
      { ok: true, value: 42, engine: 'page', warnings: ['Ran by puppeteer, since it was asked for.'] },
    ]);
  });

  it('[EV7] page takes an element by ref or by role, and gives results and failures in the same forms', async () => {
    const id = await open();
    const ref = (await server.snapshot(id)).refs.find(({ role }) => role === 'button')?.ref;
    const byRef = await server.act(id, { kind: 'evaluate', engine: 'page', ref, fn: '(element, end) => element.id + end', args: ['!'] });
    const byRole = await server.act(id, { kind: 'evaluate', engine: 'page', role: 'button', name: 'Press "me"', fn: '(element) => element.tagName' });
    const threw = await server.act(id, { kind: 'evaluate', engine: 'page', fn: '() => { throw new TypeError("no") }' });
    const special = await server.act(id, { kind: 'evaluate', engine: 'page', fn: '10n' });
    const gone = await server.act(id, { kind: 'evaluate', engine: 'page', role: 'button', name: 'Nobody', fn: '(e) => e' });

    expect([byRef.value, byRole.value, threw.error?.code, special.value, gone.error?.code]).toEqual(['b!', 'BUTTON', 'EVAL_THREW', { $type: 'bigint', text: '10' }, 'NODE_GONE']);
  });

  it('[EV7] auto goes to puppeteer when our own session was refused, says why, and it is counted', async () => {
    const id = await open();
    const tab = tabOf(id);
    const { browser } = server.running.services.hub.get(server.running.services.access.owner.workspace, id).init.home;
    await browser.lanes.evaluate.detach(tab.sessions.evaluate);
    const auto = await server.act(id, { kind: 'evaluate', fn: 'document.title' });
    const cdp = await server.act(id, { kind: 'evaluate', fn: 'document.title', engine: 'cdp' });
    const metrics = await server.api('GET', '/metrics');
    const click = await server.act(id, { kind: 'click', selector: '#b' });

    expect(auto).toMatchObject({ ok: true, value: 'Engines', engine: 'page', warnings: ['Ran by puppeteer, since our own session on the page was refused.'] });
    expect([cdp.ok, click.ok]).toEqual([false, true]);
    expect(metrics.body).toContain('wheelhouse_evaluate_fallbacks_total{reason="attach"} 1');
  });

  it('[EV7] page is not let near a page that does not answer, and ends by the budget like any other', async () => {
    const id = await open();
    await server.act(id, { kind: 'evaluate', fn: '() => { setTimeout(() => { for (;;); }, 0); }' });
    while (await tabOf(id).sentinel.answers(100));
    const wedged = await server.act(id, { kind: 'evaluate', fn: '1', engine: 'page', timeoutMs: 5_000 });
    const other = await open();
    let late = false;
    const marker = setTimeout(() => (late = true), 6_000);
    const never = await server.act(other, { kind: 'evaluate', fn: '() => new Promise(() => {})', engine: 'page', timeoutMs: 1_500 });
    clearTimeout(marker);
    await server.api('DELETE', `/api/v1/sessions/${id}`);

    expect([wedged.error?.code, never.error?.code, late]).toEqual(['TAB_UNRESPONSIVE', 'TIMEOUT', false]);
  });
});
