import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { sessionSchema } from '@/lib/protocol/views';
import { CdpConnection } from '@/server/cdp/connection';
import { resolveCdpUrl } from '@/server/cdp/endpoint';
import { WheelhouseError } from '@/lib/errors/error';
import { TEST_KEY, type TestServer } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';
import { chromeOf, lives } from './testing/chromes';
import { stateOf } from './testing/crashes';

const ASK = `fetch('/text', { cache: 'no-store' }).then((answer) => answer.text(), () => 'no network')`;

let hits = 0;
const fixture = useServerFixture({
  '/': '<h1>Fixture</h1>',
  '/goes-on': `<script>setInterval(() => fetch(location.hash.slice(1), { mode: 'no-cors' }).catch(() => undefined), 20)</script>`,
  '/text': (_, response) => {
    hits += 1;
    response.end('reached');
  },
});

const ask = async (session: string): Promise<unknown> =>
  (await fixture.server.act(session, { kind: 'evaluate', fn: `() => ${ASK}` })).value;
const viewOf = async (session: string) =>
  sessionSchema.parse((await fixture.server.api('GET', `/api/v1/sessions/${session}`)).body);

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

/** Another program has this port until the test ends. */
async function take(port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

const portOf = (session: string): number => z.int().parse(fixture.server.running.services.egress.portOf(session));

async function recordOf({ running }: TestServer) {
  const { access, store } = running.services;
  const [record] = await store.browsers.listOpen(access.owner.workspace);
  return z.object({ id: z.string(), cdpUrl: z.string(), floorPort: z.int() }).parse(record);
}

describe('pages, when the server restarts', () => {
  it('[GU1 F11] have no way out while it is away, and go on at once when it is back, at the same port; those whose port another program has say that they have no network, and have one again in a new context; none reaches a debugging port in the moment in which the server starts again', async () => {
    const { server: before } = fixture;
    const [calm, { id, tabs }] = [await before.session(fixture.url), await before.session(fixture.url)];
    await before.act(id, {
      kind: 'evaluate',
      fn: `() => { document.cookie = 'kept=1; max-age=1000'; localStorage.setItem('kept', '2'); }`,
    });
    const [calmPort, port] = [portOf(calm.id), portOf(id)];
    const { cdpUrl } = await recordOf(before);
    await before.session(`${fixture.site}/goes-on#${cdpUrl}/json/close/${calm.tabs[0]?.targetId ?? ''}`);
    expect(await ask(calm.id)).toBe('reached');
    await fixture.restart(async () => {
      const reached = hits;
      expect([await askDirectly(cdpUrl, calm.tabs[0]?.targetId ?? ''), hits]).toEqual(['no network', reached]);
      // The start takes longer when a port is taken.
      await take(port);
    });

    const { server: after } = fixture;
    expect([portOf(calm.id), await ask(calm.id), (await viewOf(calm.id)).egress?.state]).toEqual([
      calmPort,
      'reached',
      'enforced',
    ]);
    expect((await viewOf(calm.id)).tabs.map((tab) => tab.id)).toEqual(calm.tabs.map((tab) => tab.id));
    const closed = await viewOf(id);
    expect([closed.state, closed.egress?.state, closed.egress?.reason, await ask(id)]).toEqual([
      'live',
      'closed',
      expect.stringContaining(`port ${port}`),
      'no network',
    ]);
    expect((await after.api('GET', '/readyz')).body).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringMatching(/^Sessions without a network: 1\..*new context/u),
        expect.stringContaining(`port ${port}`),
      ]),
    });

    const renewed = await after.api('POST', `/api/v1/sessions/${id}/browser`);
    const view = sessionSchema.parse(renewed.body);
    expect([renewed.status, view.state, view.egress?.state, view.tabs.map((tab) => tab.id)]).toEqual([
      200,
      'live',
      'enforced',
      tabs.map((tab) => tab.id),
    ]);
    expect(await ask(id)).toBe('reached');
    expect(
      (await after.act(id, { kind: 'evaluate', fn: `() => document.cookie + localStorage.getItem('kept')` })).value,
    ).toBe('kept=12');
    expect((await after.api('POST', `/api/v1/sessions/${id}/browser`)).status).toBe(409);
  }, 60_000);

  it('[GU1 BR5] leave no context behind when their new one could not be used', async () => {
    const id = await fixture.open();
    const port = portOf(id);
    await fixture.restart(() => take(port));

    const { hub, access } = fixture.server.running.services;
    const { contextRef } = fixture.inside(id).init;
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
  }, 60_000);

  it('[GU1 BR5] of a Chrome that runs without the proxy are reopened in one that has it, and the timeline says why', async () => {
    const { server: before } = fixture;
    const id = await fixture.open();
    const old = await chromeOf(before);
    const { access, store } = before.running.services;
    await store.browsers.update(access.owner.workspace, old.id, { floorPort: null }, new Date());
    await fixture.restart();

    const { server: after } = fixture;
    await stateOf(after, id, 'live');
    const { text, tabs, egress } = {
      ...(await viewOf(id)),
      text: JSON.stringify((await after.api('GET', `/api/v1/sessions/${id}/timeline`)).body),
    };
    expect([lives(old), egress?.state, tabs.map((tab) => tab.url), await ask(id)]).toEqual([
      false,
      'enforced',
      [fixture.url],
      'reached',
    ]);
    expect(text).toContain('"chromeOutdated"');
  }, 60_000);
});
