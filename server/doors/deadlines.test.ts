import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActionKind } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Session } from '@/server/session/session';
import { ask, connectClient } from '@/server/testing/socket-client';
import { lightLoop } from '@/server/testing/light-loop';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { sized } from '@/server/testing/sized';

/**
 * The promise is an order of events: the answer comes before a marker timer armed at several times budget and grace
 * (BU3).
 */
const BUDGET_MS = 400;
const MARKER_MS = 2_500;

/** One action of every kind; a new kind without one does not compile. */
const EACH: Readonly<Record<ActionKind, object>> = {
  click: { selector: '#b' },
  hover: { selector: '#b' },
  focus: { selector: '#f' },
  highlight: { selector: '#b' },
  scrollIntoView: { selector: '#b' },
  drag: { from: { selector: '#b' }, to: { selector: '#f' } },
  type: { selector: '#f', text: 'x' },
  press: { key: 'a' },
  check: { selector: '#c', checked: true },
  select: { selector: '#s', values: ['1'] },
  fill: { fields: [{ selector: '#f', value: 'x' }] },
  scroll: { by: { dy: 100 } },
  wait: { text: 'never there' },
  evaluate: { fn: '1' },
  extract: { what: 'text' },
  search: { query: 'x' },
  snapshot: {},
  screenshot: {},
  pdf: {},
  tab: { do: 'focus' },
  dialog: { do: 'arm', accept: true },
  upload: { selector: '#u', paths: ['nothing.txt'] },
  download: { do: 'wait' },
  resize: { width: 700, height: 500 },
  cookies: { do: 'get' },
  storage: { do: 'get', area: 'local' },
  clipboard: { do: 'get' },
  emulate: { do: 'get' },
  trace: { do: 'get' },
  batch: { actions: [{ kind: 'click', selector: '#b' }] },
  composite: { label: 'both', actions: [{ kind: 'click', selector: '#b' }] },
  none: {},
  stop: {},
  remedy: { do: 'stop-loading' },
  history: { go: 'reload' },
  navigate: { url: 'about:blank' },
};

const LOOP = await lightLoop();
const PAGE =
  '<!doctype html><title>Silent</title><button id="b">b</button><input id="f"><input id="c" type="checkbox"><select id="s"><option>1</option></select><input id="u" type="file">';

let server: TestServer;
let page: { port: number; close: () => void };
let silent: Server;
let silentUrl: string;
/** Requests that wait for an answer. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  server = await sharedTestServer();
  page = await serveHtml(PAGE);
  silent = createServer((_, response) => held.push(response));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  silentUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
});

afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  page.close();
  await server.close();
});

const open = async (): Promise<string> => (await server.session(`http://127.0.0.1:${page.port}/`)).id;

function inside(id: string): Session {
  return server.running.services.hub.get(server.running.services.access.owner.workspace, id);
}

/**
 * Blocks the page by itself until the test answers its request: no call of ours waits for it, and its health does not
 * show it yet.
 */
async function silence(id: string): Promise<void> {
  const fn =
    '(url) => { setTimeout(() => { const held = new XMLHttpRequest(); held.open("GET", url, false); held.send(); }, 0); }';
  const { sentinel } = inside(id).activeSessionTab().tab;
  // The end of the script of the action before may come late and end this one.
  for (let looks = 0; looks === 0 || (await sentinel.answers(100)); looks += 1) {
    if (looks % 100 === 0) await server.act(id, { kind: 'evaluate', fn, args: [silentUrl] });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const letGo = (): void => held.splice(0).forEach((response) => response.destroy());

async function timed(work: Promise<Reply>): Promise<{ reply: Reply; late: boolean }> {
  let late = false;
  const marker = setTimeout(() => (late = true), MARKER_MS);
  const reply = await work;
  clearTimeout(marker);
  return { reply, late };
}

/** The outcome row of an action, as soon as there is one. */
function outcome(session: Session, id: string): Promise<TimelineEvent> {
  return new Promise((resolve) =>
    session.timeline.onEvent.on((event) => event.phase === 'outcome' && event.kind === id && resolve(event)),
  );
}

describe('every kind of action on a page that never answers', () => {
  let id: string;
  beforeAll(async () => {
    id = await open();
    // What the first action of a server and of a session takes longer is no part of the budgets below.
    await server.act(id, { kind: 'click', selector: '#b' });
  });
  // Chrome works off what the action before has left in the page, which answers then.
  beforeEach(async () => {
    letGo();
    const there = { kind: 'evaluate', fn: 'document.querySelector("#b") !== null', timeoutMs: 5_000 };
    const home = { kind: 'navigate', url: `http://127.0.0.1:${page.port}/` };
    if ((await server.act(id, there)).value === true) return;
    await expect.poll(async () => (await server.act(id, home)).error?.code, { timeout: 20_000 }).toBeUndefined();
  });
  afterAll(() => server.api('DELETE', `/api/v1/sessions/${id}`));

  for (const [kind, fields] of Object.entries(EACH)) {
    it(`[BU3] ${kind} ends by its budget, with an answer of the table`, async () => {
      await silence(id);
      const { reply, late } = await timed(server.act(id, { kind, ...fields, timeoutMs: BUDGET_MS }));

      expect({ late, fault: reply.error?.code === 'INTERNAL' ? reply.error : undefined }).toEqual({
        late: false,
        fault: undefined,
      });
      if (reply.error?.code === 'TIMEOUT')
        expect(reply.error.details?.['log']).toEqual(
          expect.arrayContaining([expect.objectContaining({ label: expect.any(String), atMs: expect.any(Number) })]),
        );
    });
  }
});

describe('one budget', () => {
  it('[BU3] is shared by all conditions of a wait, and the log names each', async () => {
    const id = await open();
    const all = [{ text: 'one' }, { url: '**/two' }, { selector: '#three' }, { fn: '() => false' }];
    const { reply, late } = await timed(server.act(id, { kind: 'wait', all, timeoutMs: BUDGET_MS }));
    const log = JSON.stringify(reply.error?.details?.['log']);

    expect([reply.error?.code, late]).toEqual(['TIMEOUT', false]);
    for (const said of ['the text \\"one\\"', 'the address **/two', '#three to be visible', 'the script to finish'])
      expect(log).toContain(said);
  });

  it('[BU4] a timeout names what was tried and for how long: an address that never answers', async () => {
    const id = await open();
    const { reply, late } = await timed(server.act(id, { kind: 'navigate', url: silentUrl, timeoutMs: BUDGET_MS }));

    expect(late).toBe(false);
    expect(reply.error).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(`while waiting for: the address to answer: ${silentUrl}`),
    });
  });
});

describe('a client that goes away', () => {
  it('[BU2] by HTTP aborts its call: the outcome says so, and the tab is free for the next call', async () => {
    const id = await open();
    const session = inside(id);
    const gone = new AbortController();
    const done = outcome(session, 'wait');
    const begun = new Promise((resolve) =>
      session.timeline.onEvent.on((event) => event.phase === 'intent' && resolve(event)),
    );
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
    const call = fetch(`${server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind: 'wait', text: 'never', timeoutMs: 60_000 }),
      signal: gone.signal,
    });
    const ended = call.catch(() => 'gone');
    await begun;
    gone.abort();

    expect(await done).toMatchObject({ outcome: 'failed', code: 'ABORTED' });
    expect(await ended).toBe('gone');
  });

  it('[BU2] by socket aborts its call, too', async () => {
    const id = await open();
    const session = inside(id);
    const client = connectClient(server.origin, { auth: { key: TEST_KEY, agent: 'leaver' } });
    await ask(client, 'session.join', { session: id });
    const done = outcome(session, 'wait');
    const begun = new Promise((resolve) =>
      session.timeline.onEvent.on((event) => event.phase === 'intent' && resolve(event)),
    );
    void ask(client, 'act', { session: id, tab: 't1', action: { kind: 'wait', text: 'never', timeoutMs: 60_000 } });
    await begun;
    client.disconnect();

    expect(await done).toMatchObject({ outcome: 'failed', code: 'ABORTED' });
  });
});

describe('a popup and its opener, which share a process', () => {
  it('[AC6] are freed together when the script of one is ended', async () => {
    const id = await open();
    const opened = await server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { window.open(url); }',
      args: [`http://127.0.0.1:${page.port}/`],
    });
    await expect.poll(() => inside(id).registry.get('t2')?.tab.id, { timeout: 10_000 }).toBe('t2');
    await server.act(id, { kind: 'wait', selector: '#b', tab: 't2' });
    const stuck = await server.act(id, {
      kind: 'evaluate',
      fn: `() => { ${LOOP} }`,
      tab: 't1',
      timeoutMs: BUDGET_MS,
    });
    const popup = await server.act(id, { kind: 'click', selector: '#b', tab: 't2' });
    const opener = await server.act(id, { kind: 'click', selector: '#b', tab: 't1' });

    expect([opened.error, stuck.error?.code, popup.error, opener.error]).toEqual([
      undefined,
      'TIMEOUT',
      undefined,
      undefined,
    ]);
  });
});

/** Sessions of five tabs, which share a renderer in each. */
const SESSIONS = sized(2, 4);

describe(`${SESSIONS * 5} stuck tabs at once`, () => {
  it('[AC6] do not delay a click in another tab: it is answered before any of them', async () => {
    const calm = await open();
    const ids = await Promise.all(Array.from({ length: SESSIONS }, open));
    const order: string[] = [];
    const stuck: Promise<unknown>[] = [];
    for (const id of ids) {
      await server.act(id, { kind: 'evaluate', fn: '() => { for (let tab = 2; tab <= 5; tab += 1) open(); }' });
      await expect.poll(() => inside(id).registry.get('t5')?.tab.id, { timeout: 10_000 }).toBe('t5');
    }
    for (const id of ids) {
      for (const tab of ['t1', 't2', 't3', 't4', 't5'])
        stuck.push(
          server
            .act(id, { kind: 'evaluate', fn: `() => { ${LOOP} }`, tab, timeoutMs: 20_000 })
            .then(() => order.push('stuck')),
        );
    }
    const click = await server.act(calm, { kind: 'click', selector: '#b', timeoutMs: 15_000 });
    order.push('click');
    for (const id of ids) await server.api('DELETE', `/api/v1/sessions/${id}`);
    await Promise.all(stuck);

    expect([click.error, order[0], order.length]).toEqual([undefined, 'click', ids.length * 5 + 1]);
  }, 90_000);
});
