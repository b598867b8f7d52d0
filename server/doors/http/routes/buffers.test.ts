import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { harSchema } from '@/lib/buffers/har-schema';
import { consoleEntrySchema, pageErrorSchema, requestEntrySchema } from '@/lib/buffers/entries';
import type { Tab } from '@/server/browser/tab';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

let server: TestServer;
let site: Server;
let origin: string;
let session: string;
const tab = (): string => `/api/v1/sessions/${session}/tabs/active`;

const pages: Record<string, (send: (status: number, headers: Record<string, string>, body: string) => void) => void> = {
  '/': (send) =>
    send(200, { 'content-type': 'text/html', 'set-cookie': 'sid=canary-set; HttpOnly' }, '<title>Buffers</title>'),
  '/data?token=canary-query': (send) => send(200, { 'content-type': 'application/json' }, '{"answer":42}'),
  '/gone': (send) => send(404, { 'content-type': 'text/plain' }, 'nothing here'),
  '/favicon.ico': (send) => send(204, {}, ''),
  '/moved': (send) => send(302, { location: '/gone' }, ''),
};

beforeAll(async () => {
  site = createServer((request, response) => {
    const page = pages[request.url ?? ''] ?? pages['/gone'];
    page?.((status, headers, body) => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  server = await sharedTestServer();
  session = (await server.session(`${origin}/`)).id;
});

afterAll(async () => {
  site.close();
  await server.close();
});

const pageSchema = <T extends z.ZodType>(entry: T) =>
  z.object({ items: z.array(entry), next: z.number(), dropped: z.number() });

async function read<T extends z.ZodType>(entry: T, rest: string): Promise<z.infer<ReturnType<typeof pageSchema<T>>>> {
  const answer = await server.api('GET', `${tab()}/${rest}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return pageSchema(entry).parse(answer.body);
}

/** Runs a script in the page. */
async function run(fn: string): Promise<void> {
  expect(await server.act(session, { kind: 'evaluate', fn })).toMatchObject({ ok: true });
}

/** Reads until it holds: events come on a lane of their own, a moment after the script that made them has answered. */
async function until<T extends z.ZodType>(
  entry: T,
  rest: string,
  holds: (page: z.infer<ReturnType<typeof pageSchema<T>>>) => boolean,
): Promise<z.infer<ReturnType<typeof pageSchema<T>>>> {
  for (;;) {
    const page = await read(entry, rest);
    if (holds(page)) return page;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The console once this many lines are in it. */
const lines = (count: number, rest = 'console'): ReturnType<typeof until<typeof consoleEntrySchema>> =>
  until(consoleEntrySchema, rest, ({ items }) => items.length >= count);
/** The requests once this many are over. */
const over = (count: number): ReturnType<typeof until<typeof requestEntrySchema>> =>
  until(
    requestEntrySchema,
    'requests?details=1',
    ({ items }) => items.length >= count && items.every(({ state }) => state !== 'pending'),
  );

/** The tab as the server has it. */
const inside = (): Tab =>
  server.running.services.hub.get(server.running.services.access.owner.workspace, session).registry.find('t1').tab;

/** Looks without reading the buffers: entries that were read are not dropped any more. */
async function stillUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A tab of its own, whose buffers have counted nothing yet. */
async function freshTab(): Promise<void> {
  session = (await server.session(`${origin}/`)).id;
  await over(2);
  await server.api('DELETE', `${tab()}/requests`);
}

describe('the console of a tab', () => {
  it('[PS1] holds the output as text, with level, place and increasing ids', async () => {
    await server.api('DELETE', `${tab()}/console`);
    const { next } = await read(consoleEntrySchema, 'console');
    await run(
      `() => { console.log('%s is %d', 'Lin', 7, { a: 1, b: [1, 2], c: 'x' }, [1, 'two', null]); console.warn(new Map([['k', 1]])); console.error(new Error('oops').message, undefined, -0); }`,
    );
    const { items, next: after } = await lines(3, `console?since=${next}`);

    expect(items.map(({ level, source, text }) => [level, source, text])).toEqual([
      ['log', 'log', 'Lin is 7 {a: 1, b: Array(2), c: "x"} [1, "two", null]'],
      ['warning', 'warning', 'Map(1) {"k" => 1}'],
      ['error', 'error', 'oops undefined -0'],
    ]);
    expect([after - next, (items[1]?.id ?? 0) - (items[0]?.id ?? 0)]).toEqual([3, 1]);
    expect(await read(consoleEntrySchema, `console?since=${after}`)).toEqual({ items: [], next: after, dropped: 0 });
  });

  it('[PS1] is filtered by level and text, cut to the latest, and cleared', async () => {
    await server.api('DELETE', `${tab()}/console`);
    await run(`() => { console.info('apple'); console.error('Apple pie'); console.error('pear'); }`);
    await lines(3);
    const texts = async (query: string): Promise<string[]> =>
      (await read(consoleEntrySchema, `console?${query}`)).items.map(({ text }) => text);

    expect([
      await texts('filter=apple'),
      await texts('level=error'),
      await texts('level=info,error&filter=pie'),
      await texts('limit=1'),
    ]).toEqual([['apple', 'Apple pie'], ['Apple pie', 'pear'], ['Apple pie'], ['pear']]);
    expect((await server.api('DELETE', `${tab()}/console`)).body).toEqual({ cleared: 3 });
    expect((await read(consoleEntrySchema, 'console')).items).toEqual([]);
  });

  it('[PS1] [F25] of a burst of 701 lines keeps the first, the last and the final error, and counts the dropped ones', async () => {
    await freshTab();
    await run(
      `() => { for (let line = 1; line <= 700; line += 1) console.log('line ' + line); console.error('the reason'); }`,
    );
    const ring = inside().watch.console;
    await stillUntil(() => ring.cursor >= 701);
    const { items, dropped, next } = await read(consoleEntrySchema, 'console');

    expect([items.length, dropped, next, items[0]?.text, items.at(-2)?.text, items.at(-1)]).toEqual([
      500,
      201,
      701,
      'line 1',
      'line 700',
      expect.objectContaining({ id: 701, level: 'error', text: 'the reason' }),
    ]);
  });

  it('[F25] a flood is counted to the line, its newest line is kept, and the tab still answers', async () => {
    await freshTab();
    const ring = inside().watch.console;
    const before = ring.cursor;
    await run(`() => { for (let line = 1; line <= 3000; line += 1) console.log('line ' + line, { line }); }`);
    await stillUntil(() => ring.cursor - before >= 3_000);
    const { items, dropped, next } = await read(consoleEntrySchema, 'console');

    expect([next - before, items.at(-1)?.text, dropped > 1_000]).toEqual([3_000, 'line 3000 {line: 3000}', true]);
  });

  it('[F25] a line of megabytes is not read, and is marked so; Chrome stays', async () => {
    await freshTab();
    await run(`() => { console.log('x'.repeat(8_000_000)); console.log('still here'); }`);
    const { items } = await lines(2);

    expect(items.map(({ source, text }) => [source, text])).toEqual([
      ['wheelhouse', expect.stringContaining('not kept')],
      ['log', 'still here'],
    ]);
  });

  it('[PS1] can be read of a page that hangs, and enabling it delays nobody', async () => {
    await server.api('DELETE', `${tab()}/console`);
    const hung = await server.act(session, {
      kind: 'evaluate',
      fn: `() => { console.log('before the loop'); for (;;) {} }`,
      timeoutMs: 400,
    });
    const { items } = await lines(1);

    expect([hung.error?.code, items.map(({ text }) => text)]).toEqual(['TIMEOUT', ['before the loop']]);
  });

  it('[GU3] keeps hostile text as plain, bounded text', async () => {
    await server.api('DELETE', `${tab()}/console`);
    await run(`() => { console.log('a\\u202Eb\\u0000c\\n  indented', 'y'.repeat(10_000)); }`);
    const [line] = (await lines(1)).items;

    expect([
      line?.text.startsWith('abc\n  indented yyy'),
      (line?.text.length ?? 0) < 4_120,
      /…\(\+\d+\)$/.test(line?.text ?? ''),
    ]).toEqual([true, true, true]);
  });

  it('[AC8] refuses a level that there is not, naming the field', async () => {
    expect(await server.api('GET', `${tab()}/console?level=loud`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST', message: expect.stringContaining('"level') } },
    });
  });
});

describe('the errors of a page', () => {
  it('[PS1] holds uncaught errors and rejected promises, with stack', async () => {
    await freshTab();
    await run(
      `() => { setTimeout(() => { throw new TypeError('not caught'); }); Promise.reject(new Error('not handled')); }`,
    );
    const { items } = await until(pageErrorSchema, 'errors', (page) => page.items.length >= 2);

    expect(items.map(({ text, rejection }) => [text, rejection]).toSorted()).toEqual([
      ['Error: not handled', true],
      ['TypeError: not caught', false],
    ]);
    expect(items.every(({ stack = '' }) => stack.includes('at '))).toBe(true);
  });
});

describe('the requests of a tab', () => {
  it('[PS1] holds status, sizes, timing and failures, and no secrets', async () => {
    await freshTab();
    await run(`async () => {
      await fetch('/data?token=canary-query', { method: 'POST', body: 'hello', headers: { Authorization: 'Bearer canary-header' } });
      await fetch('/moved');
      await fetch('http://127.0.0.1:1/').catch(() => 0);
    }`);
    const { items } = await over(4);
    const [post, moved, gone, refused] = items;

    expect(
      items.map(({ method, url, type, state, status }) => [method, url.replace(origin, ''), type, state, status]),
    ).toEqual([
      ['POST', '/data?token=•••', 'fetch', 'done', 200],
      ['GET', '/moved', 'fetch', 'done', 302],
      ['GET', '/gone', 'fetch', 'done', 404],
      ['GET', 'http://127.0.0.1:1/', 'fetch', 'failed', undefined],
    ]);
    expect(post).toMatchObject({
      mimeType: 'application/json',
      bodySize: 13,
      sentBody: true,
      timing: { wait: expect.any(Number), dns: -1 },
      ms: expect.any(Number),
    });
    expect([moved?.redirectedTo, refused?.failure]).toEqual([gone?.id, expect.stringMatching(/ERR_|blocked/)]);
    expect(JSON.stringify(items)).not.toContain('canary');
  });

  it('[PS1] are filtered by address, type and status; one can be read with its headers', async () => {
    const urls = async (query: string): Promise<string[]> =>
      (await read(z.object({ url: z.string() }), `requests?${query}`)).items.map(({ url }) => url.replace(origin, ''));
    const all = await read(requestEntrySchema, 'requests?details=1');
    const one = await server.api('GET', `${tab()}/requests/${all.items[0]?.id ?? 0}`);
    const lost = await server.api('GET', `${tab()}/requests/999999`);

    expect([
      await urls('status=4xx'),
      await urls('status=failed'),
      await urls(`url=**/data*`),
      await urls('filter=MOVED'),
      await urls('type=document'),
    ]).toEqual([['/gone'], ['http://127.0.0.1:1/'], ['/data?token=•••'], ['/moved'], []]);
    expect([one.status, one.body, lost.status]).toEqual([200, all.items[0], 404]);
  });

  it('[PS1] are never shed while there is room: of 451 at once all are there, of 621 the first and the last, in the archive too', async () => {
    await freshTab();
    const burst = (count: number): Promise<void> =>
      run(
        `async () => { await Promise.all(Array.from({ length: ${count} }, (_, n) => fetch('/data?n=' + (n + 1)))); }`,
      );
    await burst(451);
    const { requests } = inside().watch;
    await stillUntil(() => requests.ring.newest(({ url }) => url.endsWith('?n=451'))?.state === 'done');
    const roomy = await over(451);
    await server.api('DELETE', `${tab()}/requests`);
    await burst(621);
    await stillUntil(
      () => requests.ring.newest(({ url, state }) => url.endsWith('?n=621') && state === 'done') !== undefined,
    );
    const full = await over(500);
    const { log } = harSchema.parse((await server.api('GET', `${tab()}/har`)).body);
    const numbers = full.items.map(({ url }) => Number(/n=(\d+)/.exec(url)?.[1]));

    expect([roomy.items.length, roomy.dropped]).toEqual([451, 0]);
    expect([full.items.length + full.dropped, numbers.slice(0, 3), numbers.at(-1)]).toEqual([621, [1, 2, 3], 621]);
    expect([log.entries.length, log.comment]).toEqual([500, expect.stringContaining('121 requests')]);
  });
});

describe('bodies', () => {
  const latest = async (part: string): Promise<number> => {
    const { items } = await over(1);
    return items.findLast(({ url }) => url.includes(part))?.id ?? 0;
  };

  it('[PS2] are read on demand, of request and response', async () => {
    await run(
      `() => fetch('/data?token=canary-query', { method: 'POST', body: 'hello', headers: { 'Content-Type': 'text/plain' } }).then((answer) => answer.text())`,
    );
    const id = await latest('data');
    const answered = await server.api('GET', `${tab()}/requests/${id}/body`);
    const sent = await server.api('GET', `${tab()}/requests/${id}/body?of=request`);

    expect([answered.body, sent.body]).toEqual([
      { id, of: 'response', mimeType: 'application/json', body: '{"answer":42}', base64: false },
      { id, of: 'request', mimeType: 'text/plain', body: 'hello', base64: false },
    ]);
  });

  it('[PS2] that Chrome dropped, that never existed, or of other pages give an error', async () => {
    await run(`() => fetch('/moved')`);
    const moved = await server.api('GET', `${tab()}/requests/${await latest('moved')}/body`);
    const none = await server.api('GET', `${tab()}/requests/${await latest('gone')}/body?of=request`);
    const made = await server.api('POST', '/api/v1/keys', {
      name: 'watcher',
      grants: ['watch'],
      sessions: 'workspace',
    });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    const foreign = await server.api('GET', `${tab()}/requests/${await latest('gone')}/body`, undefined, {
      authorization: `Bearer ${key}`,
    });

    expect([moved.status, none.status, foreign.status]).toEqual([404, 404, 403]);
  });
});

describe('the archive', () => {
  it('[PS2] fits HAR 1.2, adds its times up, and holds no secret', async () => {
    await run(`() => fetch('/data?token=canary-query', { headers: { Authorization: 'Bearer canary-header' } })`);
    await over(1);
    const { status, body } = await server.api('GET', `${tab()}/har`);
    const { log } = harSchema.parse(body);
    const entry = log.entries.findLast(({ request }) => request.url.includes('/data'));

    expect([status, log.version, entry?.response.status, entry?.request.queryString]).toEqual([
      200,
      '1.2',
      200,
      [{ name: 'token', value: '•••' }],
    ]);
    expect(log.entries.length).toBeGreaterThan(3);
    expect(JSON.stringify(body)).not.toContain('canary');
  });
});

describe('waiting for a response', () => {
  it('[PS2] by address and status, in the budget of the wait', async () => {
    await run(`() => { setTimeout(() => fetch('/data?late'), 150); }`);
    const came = await server.act(session, { kind: 'wait', response: { url: '**/data?late' } });
    const wrong = await server.act(session, {
      kind: 'wait',
      response: { url: '**/data?late', status: 200 },
      timeoutMs: 300,
    });

    expect(came).toMatchObject({ ok: true });
    expect(wrong.error).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('a response from **/data?late with status 200'),
    });
  });

  it('[PS2] finds one that came before, after a cursor', async () => {
    const { next: since } = await read(requestEntrySchema, 'requests?details=1');
    await run(`() => fetch('/gone?early')`);
    const replies = await Promise.all(
      [since, since + 1_000].map((cursor) =>
        server.act(session, {
          kind: 'wait',
          response: { url: '**/gone?early', status: 404, since: cursor },
          timeoutMs: 300,
        }),
      ),
    );

    expect(replies.map(({ ok }) => ok)).toEqual([true, false]);
  });
});
