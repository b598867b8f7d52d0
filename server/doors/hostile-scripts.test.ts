import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '@/lib/actions/reply';
import type { Session } from '@/server/session/session';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** The answer comes before a marker timer armed at several times the bound. */
const BUDGET_MS = 250;
const MARKER_MS = 2_500;

const PAGE = `<!doctype html><title>Hostile</title><iframe name="inner"></iframe><button id="b" onclick="document.title = 'clicked'">Press me</button>`;

const HANGS: readonly (readonly [name: string, fn: string])[] = [
  ['a getter without end in its result', '() => ({ get x() { for (;;); } })'],
  ['a proxy without end in its result', '() => new Proxy({}, { ownKeys() { for (;;); } })'],
  ['a prototype trap without end in its result', '() => new Proxy({}, { getPrototypeOf() { for (;;); } })'],
  ['a toJSON without end in its result', '() => ({ toJSON() { for (;;); } })'],
  ['a getter without end in what it throws', '() => { throw { get boom() { for (;;); } }; }'],
  [
    'a message without end in what it throws',
    '() => { const e = new Error("x"); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e; }',
  ],
  ['a thenable without end', '() => ({ then() { for (;;); } })'],
  ['a thenable that never settles', '() => ({ then() {} })'],
  [
    'an iterator without end in a Map of its result',
    '() => { const m = new Map(); m[Symbol.iterator] = function* () { for (;;) yield [1, 2]; }; return m; }',
  ],
  [
    'document.write without end',
    '() => { const inner = frames.inner.document; for (;;) { inner.open(); inner.write("<p>x"); inner.close(); } }',
  ],
  [
    'JSON that is parsed for long, which Chrome ends late',
    '() => { const text = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n }))); for (let n = 0; n < 200; n += 1) JSON.parse(text); }',
  ],
  [
    'a timer that loops again and again',
    '() => { const again = setInterval(() => { const end = Date.now() + 150; while (Date.now() < end); }, 0); setTimeout(() => clearInterval(again), 1_500); return new Promise(() => {}); }',
  ],
  ['a debugger statement', '() => { debugger; return new Promise(() => {}); }'],
  ['printing', '() => { window.print(); return new Promise(() => {}); }'],
];

/** How a page may replace built-in objects before a script of ours runs in it. */
const POISONS: readonly (readonly [name: string, fn: string])[] = [
  ['Function.prototype.call and apply', 'Function.prototype.call = Function.prototype.apply = () => { for (;;); }'],
  ['Function.prototype.toString', 'Function.prototype.toString = () => { for (;;); }'],
  ['Promise', 'Promise.prototype.then = () => { for (;;); }; window.Promise = null'],
  [
    'Object.prototype.toJSON and Array.prototype.toJSON',
    'Object.prototype.toJSON = Array.prototype.toJSON = () => "lie"',
  ],
  [
    'Map, Set, Node, Element, Date and Error',
    'for (const name of ["Map", "Set", "Node", "Element", "Date", "Error"]) window[name] = {}',
  ],
  [
    'Object.prototype.then',
    'Object.defineProperty(Object.prototype, "t", { set() { throw new Error("trap"); }, configurable: true })',
  ],
  ['JSON', 'window.JSON = { stringify: () => "lie", parse: () => "lie" }'],
];

let server: TestServer;
let site: Server;
let origin: string;
const never = new Set<string>(['/never']);

beforeAll(async () => {
  server = await sharedTestServer();
  site = createServer((request, response) => {
    if (never.has(request.url ?? '')) return;
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(async () => {
  await server.close();
  site.closeAllConnections();
  site.close();
});

const inside = (id: string): Session =>
  server.running.services.hub.get(server.running.services.access.owner.workspace, id);

async function timed(work: Promise<Reply>): Promise<{ code: string | undefined; late: boolean }> {
  let late = false;
  const marker = setTimeout(() => (late = true), MARKER_MS);
  const { error } = await work;
  clearTimeout(marker);
  return { code: error?.code, late };
}

/** A page whose script is being ended says TAB_UNRESPONSIVE, to be tried again (`retry: later`). */
async function click(id: string): Promise<string | undefined> {
  for (;;) {
    const { error } = await server.act(id, { kind: 'click', selector: '#b', timeoutMs: 10_000 });
    if (error?.code !== 'TAB_UNRESPONSIVE') return error?.code;
  }
}

describe('a script that does not end by itself', () => {
  let shared: string;
  beforeAll(async () => {
    shared = (await server.session(`${origin}/`)).id;
  });
  afterAll(() => server.api('DELETE', `/api/v1/sessions/${shared}`));

  for (const [name, fn] of HANGS) {
    it(`[EV3][EV6] ${name}: ends by the budget, and the next click works`, async () => {
      const ended = await timed(server.act(shared, { kind: 'evaluate', fn, timeoutMs: BUDGET_MS }));
      const clicked = await click(shared);

      expect({ ...ended, clicked }).toEqual({ code: 'TIMEOUT', late: false, clicked: undefined });
    });
  }

  it('[EV6] an exception is reported without calling it: its toString may never end', async () => {
    const { error } = await server.act(shared, {
      kind: 'evaluate',
      fn: '() => { throw { toString() { for (;;); } }; }',
    });

    expect(error).toMatchObject({ code: 'EVAL_THREW', details: { message: expect.stringContaining('toString') } });
  });

  it("[EV6] an endless recursion is reported as the script's exception", async () => {
    const { error } = await server.act(shared, {
      kind: 'evaluate',
      fn: '() => { const down = () => down(); return down(); }',
    });

    expect(error).toMatchObject({ code: 'EVAL_THREW', details: { name: 'RangeError' } });
  });

  it('[EV3] a promise that can never settle is waited for like any other, even if Chrome collects it', async () => {
    const waiting = timed(
      server.act(shared, { kind: 'evaluate', fn: '() => new Promise(() => {})', timeoutMs: 1_500 }),
    );
    const { bulk } = inside(shared).activeSessionTab().tab.sessions;
    await expect.poll(() => inside(shared).activeSessionTab().tab.evaluator.running).toBe(true);
    for (let times = 0; times < 3; times += 1) await bulk.send('HeapProfiler.collectGarbage');

    expect(await waiting).toEqual({ code: 'TIMEOUT', late: false });
  });

  it('[EV10] Chrome refuses an alert while the page is being left: the script is answered, and the next page works', async () => {
    const { id } = await server.session(`${origin}/`);
    const left = await server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { for (const name of ["pagehide", "unload", "beforeunload"]) addEventListener(name, () => alert("stay")); location.href = url; }',
      args: [`${origin}/next`],
    });
    await server.act(id, { kind: 'wait', url: '**/next' });

    expect([left.error, await click(id)]).toEqual([undefined, undefined]);
  });

  it('[EV10] a script that leaves a page which asks first gets its answer, and the dialog is reported', async () => {
    const { id } = await server.session(`${origin}/`);
    await server.act(id, { kind: 'evaluate', fn: '() => { onbeforeunload = (event) => event.preventDefault(); }' });
    await click(id);
    await server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { setTimeout(() => { location.href = url; }, 0); }',
      args: [`${origin}/next`],
    });
    await expect
      .poll(() => inside(id).activeSessionTab().tab.dialogs.current?.type, { timeout: 10_000 })
      .toBe('beforeunload');
    const during = await timed(server.act(id, { kind: 'evaluate', fn: '1', timeoutMs: BUDGET_MS }));
    await server.act(id, { kind: 'dialog', do: 'answer', accept: false });

    expect([during, await click(id)]).toEqual([{ code: 'DIALOG_OPEN', late: false }, undefined]);
  });

  it('[EV4] a synchronous request that is never answered cannot be ended: the caller is answered, and the tab continues in a new page', async () => {
    const { id } = await server.session(`${origin}/`);
    const ended = await timed(
      server.act(id, {
        kind: 'evaluate',
        fn: '(url) => { const r = new XMLHttpRequest(); r.open("GET", url, false); r.send(); }',
        args: [`${origin}/never`],
        timeoutMs: BUDGET_MS,
      }),
    );
    const stuck = await timed(server.act(id, { kind: 'click', selector: '#b', timeoutMs: BUDGET_MS }));
    const stays = await server.act(id, { kind: 'remedy', do: 'stop-script' });
    const restarted = await server.act(id, { kind: 'remedy', do: 'restart' });

    expect([ended, stuck.late, stays.error?.code]).toEqual([
      { code: 'TIMEOUT', late: false },
      false,
      'TAB_UNRESPONSIVE',
    ]);
    expect([restarted.error, await click(id)]).toEqual([undefined, undefined]);
  }, 30_000);
});

describe('a page that replaced built-in objects', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await server.session());
  });
  afterAll(() => server.api('DELETE', `/api/v1/sessions/${id}`));
  beforeEach(() => server.act(id, { kind: 'navigate', url: `${origin}/` }));

  for (const [name, fn] of POISONS) {
    it(`[EV6] ${name}: results are right, and the next click works`, async () => {
      const poisoned = await server.act(id, { kind: 'evaluate', fn: `() => { ${fn}; }` });
      const fresh = await server.act(id, {
        kind: 'evaluate',
        fn: '() => ({ list: [1, [2], { three: null }], text: "x", f: undefined })',
      });
      const asked = await server.act(id, { kind: 'evaluate', fn: '(a) => a.length', args: [[1, 2, 3]] });
      const threw = await server.act(id, { kind: 'evaluate', fn: '() => { null.x; }' });

      expect([poisoned.error, fresh.error, fresh.value, asked.value, threw.error?.code]).toEqual([
        undefined,
        undefined,
        { list: [1, [2], { three: null }], text: 'x' },
        3,
        'EVAL_THREW',
      ]);
      expect(await click(id)).toBeUndefined();
    });
  }

  it('[EV6] a page class with the name of a built-in one changes no result', async () => {
    await server.act(id, {
      kind: 'evaluate',
      fn: '() => { const s = document.createElement("script"); s.textContent = "class Node {} let Map = 1; const Date = null; var Set = {};"; document.head.append(s); }',
    });
    const node = await server.act(id, { kind: 'evaluate', fn: 'document.querySelector("#b")' });
    const map = await server.act(id, {
      kind: 'evaluate',
      fn: '[new globalThis.Map([[1, 2]]), new globalThis.Date(0)]',
    });

    expect([node.value, map.value]).toMatchObject([
      { $type: 'node', text: expect.stringContaining('<button') },
      [{ $type: 'map', entries: [[1, 2]] }, { $type: 'date' }],
    ]);
  });
});
