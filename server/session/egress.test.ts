import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sessionSchema } from '@/lib/protocol/views';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { startCanary, type Canary } from '@/server/testing/canary';
import { launchTestChrome } from '@/server/testing/chrome';
import { soon } from '@/server/testing/private-page';
import { SPELLINGS } from '@/server/testing/spellings';
import { useServerFixture } from '@/server/testing/server-fixture';
import { asking, VECTOR_NAMES, type Vector } from '@/server/testing/vectors';
import { chromeOf } from './testing/chromes';

/** Ways by which the fixture was asked for, and who waits for more. */
const asked = new Set<string>();
const waiting = new Set<() => void>();
const hit: RequestListener = ({ url = '/' }, response) => {
  asked.add(new URL(url, 'http://x').searchParams.get('by') ?? '');
  for (const look of [...waiting]) look();
  response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('reached');
};
const fixture = useServerFixture({
  '/': '<h1>Fixture</h1>',
  '/hit': hit,
  '/redirect': ({ url = '/' }, response) =>
    void response.writeHead(302, { location: new URL(url, 'http://x').searchParams.get('to') ?? '/' }).end(),
});

const canaries: Canary[] = [];
afterEach(() => canaries.splice(0).forEach((canary) => canary.close()));

/** A port that counts who reaches it, and that the server takes for the debugging port of a Chrome. */
async function debugCanary(): Promise<Canary> {
  const canary = await startCanary();
  canaries.push(canary);
  fixture.server.running.services.egress.debugPort('127.0.0.1', canary.port);
  return canary;
}

/** Settles when the fixture was asked for in this way. */
function askedBy(by: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!asked.has(by)) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
}

/** The value of an expression in the page of a session. */
async function read(session: string, expression: string): Promise<unknown> {
  const { value } = await fixture.server.act(session, {
    kind: 'evaluate',
    fn: `() => ${expression}`,
    timeoutMs: 15_000,
  });
  return z.object({ value: z.unknown() }).catch({ value }).parse(value).value;
}

describe('the way out of a page', () => {
  it("[GU1] a tab never shows its own Chrome's debugging port, however it is spelled, and opens no WebSocket to it from there", async () => {
    const session = await fixture.open();
    const { access, store } = fixture.server.running.services;
    const port = z
      .int()
      .parse((await store.browsers.get(access.owner.workspace, (await chromeOf(fixture.server)).id))?.port);
    const socketUrl = z
      .object({ webSocketDebuggerUrl: z.string() })
      .parse(await (await fetch(`http://127.0.0.1:${port}/json/version`)).json()).webSocketDebuggerUrl;
    const opens = `new Promise((done) => { const s = new WebSocket(${JSON.stringify(socketUrl)}); s.onopen = () => done('open'); s.onerror = () => done('refused'); })`;
    const shown: string[] = [];
    for (const [index, host] of SPELLINGS.entries()) {
      const path = ['/json/version', '/json/list', '/devtools/inspector.html?ws=x/devtools/page/1'][index % 3] ?? '';
      await fixture.server.act(session, { kind: 'navigate', url: `http://${host}:${port}${path}` });
      const text = String(await read(session, 'document.documentElement.innerText + document.title'));
      if (/webSocketDebuggerUrl|devtoolsFrontendUrl|DevTools/.test(text)) shown.push(`${host}${path}`);
      if (index < 3 && (await read(session, opens)) !== 'refused') shown.push(`a WebSocket from ${host}`);
    }
    expect(shown).toEqual([]);
  }, 90_000);

  it('[GU1 T2] a page reaches no debugging port by any of the ways by which it reaches the fixture', async () => {
    const canary = await debugCanary();
    const session = await fixture.open();
    const ways = VECTOR_NAMES.filter((vector): vector is Exclude<Vector, 'rtc'> => vector !== 'rtc');
    for (const [index, vector] of VECTOR_NAMES.entries()) {
      const host = ['127.0.0.1', 'localhost', '[::1]'][index % 3] ?? '';
      await fixture.server.act(session, {
        kind: 'evaluate',
        fn: asking(vector, `http://${host}:${canary.port}/`, fixture.site),
      });
    }
    const open = await fixture.open();
    for (const vector of ways) {
      await fixture.server.act(open, {
        kind: 'evaluate',
        tab: 't1',
        fn: asking(vector, `${fixture.site}/hit?by=${vector}`, fixture.site),
      });
      await askedBy(vector);
    }
    expect(canary.hits()).toBe(0);
  }, 90_000);

  it('[GU1] the ports of another Chrome, of an attached one and of the server itself are closed, and each denial is recorded with its session', async () => {
    const { egress, access, store } = fixture.server.running.services;
    const session = await fixture.open();
    const own = z
      .object({ id: z.string() })
      .parse(
        (await fixture.server.api('POST', '/api/v1/sessions', { isolation: 'browser', url: fixture.url })).body,
      ).id;
    const attached = await launchTestChrome();
    onTestFinished(() => attached.close());
    expect((await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl: attached.wsUrl })).status).toBe(201);
    const told: unknown[] = [];
    // Chrome's own requests belong to no session.
    onTestFinished(
      egress.onDenied(({ session: from, rule, port }) => void (from === session && told.push([from, rule, port]))),
    );
    const records = await store.browsers.listOpen(access.owner.workspace);
    const ports = [
      ...records.flatMap(({ port }) => (port === null ? [] : [port])),
      Number(new URL(attached.wsUrl).port),
    ];
    const server = Number(new URL(fixture.server.origin).port);
    const look = (url: string) =>
      read(session, `fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then(({ type }) => type)`);
    for (const port of [...ports, server]) await look(`http://127.0.0.1:${port}/json/version`);
    expect(told).toEqual([...ports.map((port) => [session, 'debug-port', port]), [session, 'own-port', server]]);
    expect(ports).toHaveLength(3);
    expect(sessionSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${own}`)).body).egress).toEqual({
      state: 'enforced',
      reason: '',
    });
    const all = z.array(sessionSchema).parse((await fixture.server.api('GET', '/api/v1/sessions')).body);
    expect(
      all
        .filter(({ browser }) => browser.origin === 'attached')
        .map(({ egress: way }) => [way?.state, way?.said?.code]),
    ).toEqual([['advisory', 'egressAdvisory']]);
    expect((await fixture.server.api('GET', '/readyz')).body).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringMatching(/^Pages may reach private addresses/u),
        expect.stringMatching(/^Sessions in attached Chromes: 1\./u),
      ]),
    });
    expect((await fixture.server.api('GET', '/metrics')).body).toMatch(
      /wheelhouse_egress_requests_total\{outcome="denied"\} \d/u,
    );
  }, 60_000);

  it('[GU1] ends with the session, also with one that could not be created, or that ends while it is restored', async () => {
    const { browsers, access, egress } = fixture.server.running.services;
    const session = await fixture.open();
    const chrome = await chromeOf(fixture.server);
    process.kill(chrome.pid, 'SIGSTOP');
    const making = withBudget({ timeoutMs: 500, clock: monotonicClock }, (budget) =>
      browsers.makeContext(budget, browsers.get(access.owner.workspace, chrome.id), { session: 's_not_made' }),
    );
    const made = await making.catch(() => 'refused');
    process.kill(chrome.pid, 'SIGCONT');
    expect(made).toBe('refused');
    expect(egress.portOf('s_not_made')).toBe(undefined);

    process.kill(chrome.pid, 'SIGKILL');
    await soon(() => fixture.inside(session).state === 'browser-down');
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    // It waits for the same Chrome, behind the one that has ended.
    await fixture.open();
    await soon(() => egress.portOf(session) === undefined);
  }, 60_000);
});
