import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import { sessionSchema } from '@/lib/protocol/views';
import type { Tab } from '@/server/browser/tab';
import { LANES, type LaneName } from '@/server/cdp/lanes';
import { sharedTestChrome, type TestChrome } from '@/server/testing/chrome';
import { lightLoop } from '@/server/testing/light-loop';
import { serveHtml } from '@/server/testing/page-fixture';
import { useServerFixture } from '@/server/testing/server-fixture';

const LOOP = await lightLoop();
const PAGE = `<!doctype html><title>Engines</title><button id="b" onclick="window.n = (window.n ?? 0) + 1">Press "me"</button>`;

const fixture = useServerFixture(PAGE);

const { again, open } = fixture;

function tabOf(id: string): Tab {
  return fixture.inside(id).activeSessionTab().tab;
}

const messageSchema = z.looseObject({
  id: z.number(),
  method: z.string(),
  sessionId: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** A wire to a real Chrome on which some commands are refused. */
async function relayTo(
  wsUrl: string,
  refuses: (message: z.infer<typeof messageSchema>, lane: LaneName | undefined) => boolean,
): Promise<{ url: string; close: () => void }> {
  const relay = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  let connections = 0;
  relay.on('connection', (client) => {
    const lane = LANES[connections];
    connections += 1;
    const chrome = new WebSocket(wsUrl, { perMessageDeflate: false, maxPayload: 64 * 1024 * 1024 });
    const opened = new Promise<void>((resolve) => chrome.once('open', () => resolve()));
    client.on('message', (data: Buffer) => {
      const message = messageSchema.parse(JSON.parse(data.toString()));
      const { id, sessionId } = message;
      if (refuses(message, lane))
        client.send(
          JSON.stringify({ id, sessionId, error: { code: -32_000, message: 'No node with given id found' } }),
        );
      else void opened.then(() => chrome.send(data.toString()));
    });
    chrome.on('message', (data: Buffer) => client.send(data.toString()));
    chrome.on('close', () => client.close());
    client.on('close', () => chrome.close());
  });
  await once(relay, 'listening');
  const address = relay.address();
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/devtools/browser/relay`,
    close: () => relay.close(),
  };
}

/** The Chrome behind the relays. */
let chrome: TestChrome;
beforeAll(async () => {
  chrome = await sharedTestChrome();
});
afterAll(() => chrome.close());

describe('the engine of a script', () => {
  it('[EV7] is CDP by default, and the reply names it', async () => {
    const id = await again();
    const replies = [
      await fixture.server.act(id, { kind: 'evaluate', fn: '1' }),
      await fixture.server.act(id, { kind: 'evaluate', fn: '(a) => a * 2', args: [21], engine: 'page' }),
    ];

    expect(replies).toMatchObject([
      { ok: true, value: 1, engine: 'cdp', warnings: [] },
      { ok: true, value: 42, engine: 'page', warnings: ['Ran by puppeteer, since it was asked for.'] },
    ]);
  });

  it('[EV7] page takes an element by ref or by role, and gives results and failures in the same forms', async () => {
    const id = await again();
    const ref = (await fixture.server.snapshot(id)).refs.find(({ role }) => role === 'button')?.ref;
    const byRef = await fixture.server.act(id, {
      kind: 'evaluate',
      engine: 'page',
      ref,
      fn: '(element, end) => element.id + end',
      args: ['!'],
    });
    const byRole = await fixture.server.act(id, {
      kind: 'evaluate',
      engine: 'page',
      role: 'button',
      name: 'Press "me"',
      fn: '(element) => element.tagName',
    });
    const threw = await fixture.server.act(id, {
      kind: 'evaluate',
      engine: 'page',
      fn: '() => { throw new TypeError("no") }',
    });
    const special = await fixture.server.act(id, { kind: 'evaluate', engine: 'page', fn: '10n' });
    const gone = await fixture.server.act(id, {
      kind: 'evaluate',
      engine: 'page',
      role: 'button',
      name: 'Nobody',
      fn: '(e) => e',
    });

    expect([byRef.value, byRole.value, threw.error?.code, special.value, gone.error?.code]).toEqual([
      'b!',
      'BUTTON',
      'EVAL_THREW',
      { $type: 'bigint', text: '10' },
      'NODE_GONE',
    ]);
  });

  it('[EV7][AC2] page takes a selector as our own engine does: through shadow roots and frames, the same element, the same refusals', async () => {
    const inner = await serveHtml('<!doctype html><p class="deep">in the frame</p>');
    const id = await again();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { const host = document.body.appendChild(document.createElement("div")); host.attachShadow({ mode: "open" }).innerHTML = "<p class=deep>in the shadow</p><p class=two>1</p><p class=two>2</p>"; const frame = document.createElement("iframe"); frame.src = url; document.body.append(frame); }',
      args: [`http://127.0.0.1:${inner.port}/inner`],
    });
    const page = (target: object): Promise<Reply> =>
      fixture.server.act(id, {
        kind: 'evaluate',
        engine: 'page',
        fn: '(element, end) => element.textContent + end',
        args: ['!'],
        ...target,
      });
    const replies = [
      await page({ selector: '.deep' }),
      await page({ selector: '.two', nth: 1 }),
      await page({ selector: '.deep', frame: '/inner' }),
    ];
    const refused = [
      await page({ selector: '.two' }),
      await page({ selector: '#nothing', timeoutMs: 2_000 }),
      await page({ selector: '>>' }),
    ];
    const threw = await fixture.server.act(id, {
      kind: 'evaluate',
      engine: 'page',
      selector: '#b',
      fn: '(element) => element.no.such',
    });
    inner.close();

    expect(replies).toMatchObject([
      { value: 'in the shadow!', engine: 'page' },
      { value: '2!' },
      { value: 'in the frame!' },
    ]);
    expect([...refused, threw].map(({ error }) => error?.code)).toEqual([
      'AMBIGUOUS',
      expect.stringMatching(/NODE_GONE|TIMEOUT/),
      'BAD_REQUEST',
      'EVAL_THREW',
    ]);
  });

  it('[EV7] auto uses puppeteer when the ref cannot be mapped: Chrome refuses its number, role and name find it', async () => {
    const relay = await relayTo(
      chrome.wsUrl,
      ({ method, params }) => method === 'DOM.resolveNode' && params?.['executionContextId'] === undefined,
    );
    const { id: browser } = z
      .object({ id: z.string() })
      .parse((await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl: relay.url })).body);
    const { id } = sessionSchema.parse(
      (await fixture.server.api('POST', '/api/v1/sessions', { browser, url: fixture.url })).body,
    );
    const ref = (await fixture.server.snapshot(id)).refs.find(({ role }) => role === 'button')?.ref;
    const auto = await fixture.server.act(id, { kind: 'evaluate', ref, fn: '(element) => element.id' });
    const metrics = await fixture.server.api('GET', '/metrics');
    const click = await fixture.server.act(id, { kind: 'click', ref });
    await fixture.server.api('DELETE', `/api/v1/browsers/${browser}`);
    relay.close();

    expect(auto).toMatchObject({
      ok: true,
      value: 'b',
      engine: 'page',
      warnings: ['Ran by puppeteer, since the element could not be mapped.'],
    });
    expect(click.ok).toBe(true);
    expect(metrics.body).toContain('wheelhouse_evaluate_fallbacks_total{reason="ref"}');
  }, 60_000);

  it('[EV7] auto uses puppeteer when our own session was refused; the reply says why, and it is counted', async () => {
    const id = await open();
    const tab = tabOf(id);
    const { browser } = fixture.inside(id).init.contextRef;
    await browser.lanes.evaluate.detach(tab.sessions.evaluate);
    const auto = await fixture.server.act(id, { kind: 'evaluate', fn: 'document.title' });
    const cdp = await fixture.server.act(id, { kind: 'evaluate', fn: 'document.title', engine: 'cdp' });
    const metrics = await fixture.server.api('GET', '/metrics');
    const click = await fixture.server.act(id, { kind: 'click', selector: '#b' });

    expect(auto).toMatchObject({
      ok: true,
      value: 'Engines',
      engine: 'page',
      warnings: ['Ran by puppeteer, since our own session on the page was refused.'],
    });
    expect([cdp.ok, click.ok]).toEqual([false, true]);
    expect(metrics.body).toMatch(/wheelhouse_evaluate_fallbacks_total\{reason="attach"\} [1-9]/);
  });

  it.each([
    ['on the lane for scripts', ['evaluate'], 201],
    ['on every lane', LANES, 503],
  ] as const)(
    '[EV7] a Chrome that refuses to attach tabs %s: a session is made all the same, or refused at once',
    async (_, lanes, status) => {
      const relay = await relayTo(
        chrome.wsUrl,
        ({ method, sessionId }, lane) =>
          method === 'Target.attachToTarget' && sessionId === undefined && lanes.some((one) => one === lane),
      );
      const attached = await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl: relay.url });
      const { id: browser } = z.object({ id: z.string() }).parse(attached.body);
      let late = false;
      const marker = setTimeout(() => (late = true), 15_000);
      const made = await fixture.server.api('POST', '/api/v1/sessions', { browser, url: fixture.url });
      clearTimeout(marker);
      const id = status === 201 ? sessionSchema.parse(made.body).id : undefined;
      const acts =
        id === undefined
          ? []
          : [
              await fixture.server.act(id, { kind: 'evaluate', fn: 'document.title' }),
              await fixture.server.act(id, { kind: 'evaluate', fn: 'for (;;);', timeoutMs: 1_000 }),
              await fixture.server.act(id, { kind: 'click', selector: '#b' }),
            ];
      await fixture.server.api('DELETE', `/api/v1/browsers/${browser}`);
      relay.close();

      expect([made.status, late]).toEqual([status, false]);
      expect(acts.map(({ value, warnings, error }) => error?.code ?? value ?? warnings)).toEqual(
        id === undefined ? [] : ['Engines', 'TIMEOUT', []],
      );
      if (id !== undefined) expect(acts[0]?.warnings).toEqual([expect.stringContaining('refused one for scripts')]);
      else
        expect(made.body).toMatchObject({
          error: { code: 'BROWSER_DOWN', hint: expect.stringContaining('attachToTarget') },
        });
    },
    60_000,
  );

  it('[EV7] page does not attach to a page that does not answer, and ends by the budget like any other', async () => {
    const id = await open();
    await fixture.server.act(id, { kind: 'evaluate', fn: `() => { setTimeout(() => { ${LOOP} }, 0); }` });
    while (await tabOf(id).sentinel.answers(100));
    const wedged = await fixture.server.act(id, { kind: 'evaluate', fn: '1', engine: 'page', timeoutMs: 5_000 });
    const other = await again();
    let late = false;
    const marker = setTimeout(() => (late = true), 6_000);
    const never = await fixture.server.act(other, {
      kind: 'evaluate',
      fn: '() => new Promise(() => {})',
      engine: 'page',
      timeoutMs: 1_500,
    });
    clearTimeout(marker);
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);

    expect([wedged.error?.code, never.error?.code, late]).toEqual(['TAB_UNRESPONSIVE', 'TIMEOUT', false]);
  });
});
