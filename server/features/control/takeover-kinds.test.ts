import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tab } from '@/server/browser/tab';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/**
 * Whatever the agent is at when a person takes the lease: it ends, nothing stays held down, and the page can be used
 * (CO3).
 */

const PAGE = `<!doctype html><meta charset="utf-8"><title>Kinds</title><input id="a" aria-label="A"><input id="b" aria-label="B">
<div id="from" style="width:80px;height:40px;background:#ccc">From</div><div id="to" style="margin-top:300px;width:80px;height:40px;background:#ccc">To</div>
<button id="ask" onclick="window.said = confirm('Sure?')">Ask</button>
<script>let ticks = 0; setInterval(() => { ticks += 1; }, 5); addEventListener('mouseup', (event) => { if (event.target.id === 'to') window.dropped = true; });</script>`;
/** Far more than the 500 ms of the promise: a bound is kept as an order of events. Milliseconds. */
const MARKER_MS = 4_000;

let server: TestServer;
let site: Server;
let origin: string;
let cookie: string;
beforeAll(async () => {
  server = await sharedTestServer();
  site = createServer((request, response) => {
    if (request.url !== '/never') response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  origin = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`;
  cookie = await server.signIn();
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server.close();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function open(): Promise<{ id: string; tab: Tab; value: (expression: string) => Promise<unknown> }> {
  const { id } = await server.session(`${origin}/`);
  const { tab } = server.running.services.hub
    .get(server.running.services.access.owner.workspace, id)
    .activeSessionTab();
  const value = async (expression: string): Promise<unknown> =>
    (await tab.sessions.sentinel.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  return { id, tab, value };
}

async function person(session: string, path: string, body: object): Promise<unknown> {
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  const response = await fetch(`${server.origin}/api/v1/sessions/${session}/tabs/t1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Takes the lease; `late` when that took longer than the marker. */
async function take(session: string): Promise<{ taken: unknown; late: boolean }> {
  let late = false;
  const marker = setTimeout(() => (late = true), MARKER_MS);
  const taken = await person(session, 'control', { do: 'take' });
  clearTimeout(marker);
  return { taken, late };
}

const TAKEN = { taken: { state: 'held', holder: { kind: 'human' }, takenFrom: { kind: 'agent' } }, late: false };

describe('taking the lease while the agent', () => {
  it('[CO3] drags: nothing is dropped, and no button stays pressed', async () => {
    const { id, tab, value } = await open();
    const dragging = server.act(id, { kind: 'drag', from: { selector: '#from' }, to: { selector: '#to' }, steps: 100 });
    while (tab.input.held().buttons.length === 0) await turn();
    const taken = await take(id);

    expect([
      taken,
      (await dragging).error?.code,
      tab.input.held().buttons,
      await value('window.dropped ?? false'),
    ]).toMatchObject([TAKEN, 'CONTROL_LOST', [], false]);
  }, 40_000);

  it('[CO3] waits for another page that does not answer: the wait ends, and the old page can be used', async () => {
    const { id, tab, value } = await open();
    const going = server.act(id, { kind: 'navigate', url: `${origin}/never`, timeoutMs: 60_000 });
    while (tab.page.awaited === undefined) await turn();
    const taken = await take(id);
    const typed = await person(id, 'act', { kind: 'type', selector: '#a', text: 'mine' });

    expect([taken, (await going).error?.code, typed, await value('document.querySelector("#a").value')]).toMatchObject([
      TAKEN,
      'CONTROL_LOST',
      { ok: true },
      'mine',
    ]);
  }, 40_000);

  it('[CO3] has a dialog before it: the dialog stays, for the person to answer', async () => {
    const { id, tab, value } = await open();
    const asked = await server.act(id, { kind: 'click', selector: '#ask' });
    const taken = await take(id);
    const answered = await person(id, 'act', { kind: 'dialog', do: 'answer', accept: true });

    expect([asked.dialogs, taken, answered]).toMatchObject([[{ type: 'confirm' }], TAKEN, { ok: true }]);
    expect([tab.dialogs.current, await value('window.said')]).toEqual([undefined, true]);
  }, 40_000);

  it('[CO3] waits for a promise of its script: the page’s own work is not ended with it', async () => {
    const { id, value } = await open();
    const waiting = server.act(id, {
      kind: 'evaluate',
      fn: '() => { window.asked = true; return new Promise(() => undefined); }',
      timeoutMs: 60_000,
    });
    while (!(await value('window.asked === true')));
    const taken = await take(id);
    const before = Number(await value('ticks'));

    expect([taken, (await waiting).error?.code]).toMatchObject([TAKEN, 'CONTROL_LOST']);
    while (Number(await value('ticks')) <= before);
  }, 40_000);

  it('[CO2] fills a form or works through a list: nothing after the present step is started', async () => {
    const { id, value } = await open();
    const actions = [
      { kind: 'type', selector: '#a', text: 'x'.repeat(100), slowly: true },
      { kind: 'type', selector: '#b', text: 'second' },
    ];
    const batch = server.act(id, { kind: 'batch', actions, stopOnError: false });
    while (!(Number(await value('document.querySelector("#a").value.length')) > 1));
    const taken = await take(id);
    const reply = await batch;
    const { body } = await server.api('GET', `/api/v1/sessions/${id}/timeline`);
    const done = Array.isArray(body)
      ? body.filter(({ kind, phase, outcome }) => kind === 'type' && phase === 'outcome' && outcome === 'ok')
      : [];

    expect([taken, reply.ok, await value('document.querySelector("#b").value'), done]).toMatchObject([
      TAKEN,
      false,
      '',
      [],
    ]);
  }, 40_000);
});
