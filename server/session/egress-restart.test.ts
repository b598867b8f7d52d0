import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { sessionSchema } from '@/lib/protocol/views';
import { CdpConnection } from '@/server/cdp/connection';
import { resolveCdpUrl } from '@/server/cdp/endpoint';
import { WheelhouseError } from '@/lib/errors/error';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { startWeb, type Web } from '@/server/testing/web';
import { chromeOf, lives } from './testing/chromes';
import { endsWithTest } from './testing/ends-with-test';
import { stateOf } from './testing/crashes';

const ASK = `fetch('/text', { cache: 'no-store' }).then((answer) => answer.text(), () => 'no network')`;

let web: Web;
let hits = 0;
beforeAll(async () => {
  web = await startWeb({
    '/': '<h1>Fixture</h1>',
    '/goes-on': `<script>setInterval(() => fetch(location.hash.slice(1), { mode: 'no-cors' }).catch(() => undefined), 20)</script>`,
    '/text': (_, response) => {
      hits += 1;
      response.end('reached');
    },
  });
});
afterAll(() => web.close());

const ask = async (server: TestServer, session: string): Promise<unknown> =>
  (await server.act(session, { kind: 'evaluate', fn: `() => ${ASK}` })).value;
const viewOf = async (server: TestServer, session: string) =>
  sessionSchema.parse((await server.api('GET', `/api/v1/sessions/${session}`)).body);

/** The state of the page while no server of ours runs. */
function askDirectly(cdpUrl: string, targetId: string): Promise<unknown> {
  return withBudget({ timeoutMs: 10_000, clock: monotonicClock }, async (budget) => {
    const connection = await CdpConnection.open(budget, await resolveCdpUrl(budget, cdpUrl), { lane: 'commands' });
    const page = await connection.attach(targetId);
    const { result } = await page.send('Runtime.evaluate', {
      expression: ASK,
      awaitPromise: true,
      returnByValue: true,
    });
    connection.close();
    const value: unknown = result.value;
    return value;
  });
}

function taken(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function recordOf({ running }: TestServer) {
  const { access, store } = running.services;
  const [record] = await store.browsers.listOpen(access.owner.workspace);
  return z.object({ id: z.string(), cdpUrl: z.string(), floorPort: z.int() }).parse(record);
}

describe('pages, when the server restarts', () => {
  it('[GU1 F11] have no way out while it is away, and go on at once when it is back, at the same port; those whose port another program has say that they have no network, and have one again in a new context', async () => {
    const before = endsWithTest(await startTestServer());
    const [calm, { id, tabs }] = [await before.session(`${web.origin}/`), await before.session(`${web.origin}/`)];
    await before.act(id, {
      kind: 'evaluate',
      fn: `() => { document.cookie = 'kept=1; max-age=1000'; localStorage.setItem('kept', '2'); }`,
    });
    const portOf = (server: TestServer, session: string): number =>
      z.int().parse(server.running.services.egress.portOf(session));
    const [calmPort, port] = [portOf(before, calm.id), portOf(before, id)];
    const { cdpUrl } = await recordOf(before);
    expect(await ask(before, calm.id)).toBe('reached');
    await before.close({ keepChrome: true, keepData: true });

    const reached = hits;
    expect([await askDirectly(cdpUrl, calm.tabs[0]?.targetId ?? ''), hits]).toEqual(['no network', reached]);
    const other = await taken(port);

    const after = endsWithTest(await startTestServer({ dataDir: before.dataDir }));
    expect([portOf(after, calm.id), await ask(after, calm.id), (await viewOf(after, calm.id)).egress?.state]).toEqual([
      calmPort,
      'reached',
      'enforced',
    ]);
    const closed = await viewOf(after, id);
    expect([closed.state, closed.egress?.state, closed.egress?.reason, await ask(after, id)]).toEqual([
      'live',
      'closed',
      expect.stringContaining(`port ${port}`),
      'no network',
    ]);
    expect((await after.api('GET', '/readyz')).body).toMatchObject({
      warnings: expect.arrayContaining([expect.stringMatching(/^Sessions without a network: 1\..*new context/u)]),
    });

    const renewed = await after.api('POST', `/api/v1/sessions/${id}/browser`);
    const view = sessionSchema.parse(renewed.body);
    expect([renewed.status, view.state, view.egress?.state, view.tabs.map((tab) => tab.id)]).toEqual([
      200,
      'live',
      'enforced',
      tabs.map((tab) => tab.id),
    ]);
    expect(await ask(after, id)).toBe('reached');
    expect(
      (await after.act(id, { kind: 'evaluate', fn: `() => document.cookie + localStorage.getItem('kept')` })).value,
    ).toBe('kept=12');
    expect((await after.api('POST', `/api/v1/sessions/${id}/browser`)).status).toBe(409);
    other.close();
    await after.close();
  }, 60_000);

  it('[GU1 F11] reach no debugging port in the moment in which it starts again', async () => {
    const before = endsWithTest(await startTestServer());
    const victim = await before.session(`${web.origin}/`);
    const { cdpUrl } = await recordOf(before);
    const port = z.int().parse(before.running.services.egress.portOf(victim.id));
    await before.session(`${web.origin}/goes-on#${cdpUrl}/json/close/${victim.tabs[0]?.targetId ?? ''}`);
    await before.close({ keepChrome: true, keepData: true });
    // The start takes longer when a port of another session is taken.
    const other = await taken(port);

    const after = endsWithTest(await startTestServer({ dataDir: before.dataDir }));
    expect((await viewOf(after, victim.id)).tabs.map(({ id }) => id)).toEqual(victim.tabs.map(({ id }) => id));
    other.close();
    await after.close();
  }, 60_000);

  it('[GU1 BR5] leave no context behind when their new one could not be used', async () => {
    const before = endsWithTest(await startTestServer());
    const { id } = await before.session(`${web.origin}/`);
    const port = z.int().parse(before.running.services.egress.portOf(id));
    await before.close({ keepChrome: true, keepData: true });
    const other = await taken(port);

    const after = endsWithTest(await startTestServer({ dataDir: before.dataDir }));
    const { hub, access } = after.running.services;
    const { contextRef } = hub.get(access.owner.workspace, id).init;
    const { browser, contexts } = contextRef;
    const open = () =>
      withBudget({ timeoutMs: 5_000, clock: monotonicClock }, async (budget) => {
        const all = await browser.contexts(budget);
        return [...contexts, ...contextRef.contexts].filter((contextId) => all.includes(contextId));
      });
    const first = await open();
    const principal = await access.authentication.requirePrincipal({
      headers: { authorization: `Bearer ${TEST_KEY}` },
      address: '',
    });
    const renewed = withBudget({ timeoutMs: 20_000, clock: monotonicClock }, (budget) => {
      contextRef.onMove.on(() => budget.abort(new WheelhouseError('ABORTED', 'The client went away.')));
      return hub.revive(budget, { principal, door: 'http' }, id);
    });
    await expect(renewed).rejects.toMatchObject({ code: 'ABORTED' });

    expect([first.length, contextRef.contexts === contexts, await open()]).toEqual([2, false, []]);
    other.close();
    await after.close();
  }, 60_000);

  it('[GU1 BR5] of a Chrome that runs without the proxy are reopened in one that has it, and the timeline says why', async () => {
    const before = endsWithTest(await startTestServer());
    const { id } = await before.session(`${web.origin}/`);
    const old = await chromeOf(before);
    const { access, store } = before.running.services;
    await store.browsers.update(access.owner.workspace, old.id, { floorPort: null }, new Date());
    await before.close({ keepChrome: true, keepData: true });

    const after = endsWithTest(await startTestServer({ dataDir: before.dataDir }));
    await stateOf(after, id, 'live');
    const { text, tabs, egress } = {
      ...(await viewOf(after, id)),
      text: JSON.stringify((await after.api('GET', `/api/v1/sessions/${id}/timeline`)).body),
    };
    expect([lives(old), egress?.state, tabs.map((tab) => tab.url), await ask(after, id)]).toEqual([
      false,
      'enforced',
      [`${web.origin}/`],
      'reached',
    ]);
    expect(text).toContain('"chromeOutdated"');
    await after.close();
  }, 60_000);
});
