import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { harSchema } from '@/lib/buffers/har-schema';
import { sessionSchema, timelineEventSchema } from '@/lib/protocol/views';
import { soon } from '@/server/testing/private-page';
import { startCanary, type Canary } from '@/server/testing/canary';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture({
  '/': '<title>Fixture</title><h1>Fixture</h1>',
  '/to': ({ url = '/' }, response) =>
    void response.writeHead(302, { location: new URL(url, 'http://x').searchParams.get('to') ?? '/' }).end(),
});

const canaries: Canary[] = [];
afterEach(() => canaries.splice(0).forEach((canary) => canary.close()));

/** A `host:port` that the server takes for a Chrome's debugging port. */
async function debugPort(): Promise<{ host: string; port: number }> {
  const canary = await startCanary();
  canaries.push(canary);
  fixture.server.running.services.egress.debugPort('127.0.0.1', canary.port);
  return { host: `127.0.0.1:${canary.port}`, port: canary.port };
}

const view = async (id: string) =>
  sessionSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${id}`)).body);
const tabOf = async (id: string) => (await view(id)).tabs[0];
const text = async (id: string): Promise<string> =>
  JSON.stringify(await fixture.server.act(id, { kind: 'extract', what: 'text' }));
const rows = async (id: string) =>
  z
    .array(timelineEventSchema)
    .parse((await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline?limit=500`)).body)
    .filter(({ kind }) => kind === 'blocked');

describe('requests that the egress proxy blocked', () => {
  it('[GU1] agents get NAV_BLOCKED with the rule before the page is left: by navigate, by opening a tab, by a session with an address', async () => {
    const id = await fixture.again();
    const { host, port } = await debugPort();
    const refused = { code: 'NAV_BLOCKED', details: { rule: 'debug-port', host: '127.0.0.1', port } };
    const answers = [
      await fixture.server.act(id, { kind: 'navigate', url: `http://${host}/json` }),
      await fixture.server.act(id, { kind: 'navigate', url: `https://${host}/` }),
      await fixture.server.act(id, { kind: 'tab', do: 'open', url: `http://${host}/` }),
    ];
    const made = await fixture.server.api('POST', '/api/v1/sessions', { url: `http://${host}/` });
    const opened = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `http://${host}/` });

    expect(answers.map(({ error }) => error)).toMatchObject([refused, refused, refused]);
    expect([made, opened]).toMatchObject([
      { status: 403, body: { error: refused } },
      { status: 403, body: { error: refused } },
    ]);
    expect([(await tabOf(id))?.title, (await view(id)).tabs.length]).toEqual(['Fixture', 1]);
  });

  it('[GU1] and after a redirect, of http and https, and by history; the page says why, the tab shows it', async () => {
    const { host, port } = await debugPort();
    for (const scheme of ['http', 'https']) {
      const id = await fixture.again();
      const reply = await fixture.server.act(id, {
        kind: 'navigate',
        url: `${fixture.site}/to?to=${encodeURIComponent(`${scheme}://${host}/x?<b>`)}`,
      });
      expect(reply.error).toMatchObject({
        code: 'NAV_BLOCKED',
        details: { rule: 'debug-port', host: '127.0.0.1', port },
      });
      expect((await tabOf(id))?.blocked).toMatchObject({
        rule: 'debug-port',
        host: '127.0.0.1',
        port,
        reason: expect.stringContaining('controls a browser'),
        said: { code: 'blockedDebugPort' },
      });
      await soon(async () => (await text(id)).includes('Blocked by Wheelhouse'));
      expect(await text(id)).toMatch(/debug-port/);
      expect((await fixture.server.act(id, { kind: 'history', go: 'reload' })).error).toMatchObject({
        code: 'NAV_BLOCKED',
        details: { rule: 'debug-port' },
      });
      await fixture.server.act(id, { kind: 'navigate', url: fixture.url });
      expect((await tabOf(id))?.blocked).toBeUndefined();
    }
  });

  it('[GU1] a popup and a click lead to the explanation, and the tab stays', async () => {
    const { host } = await debugPort();
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: `() => { document.body.innerHTML = '<a id=a href="https://${host}/">Go</a><a id=b target=_blank href="https://${host}/">New</a>'; }`,
    });
    await fixture.server.act(id, { kind: 'click', selector: '#b' });
    await fixture.server.act(id, { kind: 'click', selector: '#a' });
    await soon(async () => (await view(id)).tabs.filter(({ blocked }) => blocked?.rule === 'debug-port').length === 2);
    const shown = async (tab: string) =>
      JSON.stringify(
        (await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/act`, { kind: 'extract', what: 'text' }))
          .body,
      );
    for (const tab of ['t1', 't2']) await soon(async () => (await shown(tab)).includes('Blocked by Wheelhouse'));
  });

  it('[GU1] an unreachable page shows the same error as without a proxy: unknown name, refused connection', async () => {
    const id = await fixture.again();
    const dead = await startCanary();
    dead.close();
    for (const [url, why] of [
      [`http://127.0.0.1:${dead.port}/`, 'ERR_CONNECTION_REFUSED'],
      [`https://127.0.0.1:${dead.port}/`, 'ERR_CONNECTION_REFUSED'],
      ['https://no-such-name.invalid/', 'ERR_NAME_NOT_RESOLVED'],
    ] as const) {
      expect((await fixture.server.act(id, { kind: 'navigate', url })).error?.code).toBe('NAV_FAILED');
      await soon(async () => (await text(id)).includes(why));
      expect(await text(id)).toContain('This page could not be opened');
      expect((await tabOf(id))?.blocked).toBeUndefined();
    }
    expect((await fixture.server.act(id, { kind: 'navigate', url: fixture.url })).error).toBeUndefined();
    expect(await text(id)).toContain('Fixture');
  });

  it('[PS1][GU1] are in the buffer with the rule, in the HAR, counted, and one row for a burst; twenty in a minute raise an alert', async () => {
    const { host } = await debugPort();
    const id = await fixture.open();
    const asks = `() => Promise.allSettled([...Array(25).keys()].map((n) => fetch('http://${host}/x' + n, { mode: 'no-cors' }))).then(() => fetch('https://${host}/tls', { mode: 'no-cors' }).catch(() => new Promise((done) => { const s = new WebSocket('ws://${host}/ws'); s.onclose = () => done(0); })))`;
    await fixture.server.act(id, { kind: 'evaluate', fn: asks });
    const requests = async () =>
      z
        .object({
          items: z.array(
            z.object({
              url: z.string(),
              state: z.string(),
              blocked: z.string().optional(),
              failure: z.string().optional(),
            }),
          ),
        })
        .parse((await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/requests?limit=200`)).body)
        .items.filter(({ url }) => url.includes(host));
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: `() => new Promise((done) => { const image = new Image(); image.onerror = () => done(0); image.src = 'http://${host}/picture.png'; })`,
    });
    await soon(async () => (await requests()).filter(({ state }) => state !== 'pending').length === 28);
    const har = harSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/har`)).body);

    expect((await requests()).filter(({ state, blocked }) => state !== 'failed' || blocked !== 'debug-port')).toEqual(
      [],
    );
    expect(har.log.entries.filter(({ _error }) => _error === 'blocked by Wheelhouse (debug-port)').length).toBe(28);
    expect((await view(id)).blocked).toMatchObject({ requests: 28, alert: expect.any(String) });
    expect((await rows(id)).map(({ said }) => said)).toMatchObject([
      { code: 'requestBlocked', host, rule: 'debug-port' },
      { code: 'manyRequestsBlocked', times: 20 },
    ]);
    await soon(async () => (await rows(id)).length === 3);
    expect((await rows(id))[2]?.said).toMatchObject({ code: 'requestsBlocked', times: 27 });
  });
});
