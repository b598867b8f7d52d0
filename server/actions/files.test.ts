import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fileSchema } from '@/lib/files/views';
import { HOSTILE_NAMES } from '@/lib/files/testing/hostile-names';
import { timelineEventSchema } from '@/lib/protocol/views';
import { requestSummarySchema } from '@/lib/buffers/entries';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const PAGE = `<!doctype html><title>t</title>
<input type="file" id="one" onchange="show(this)"><label>Many <input type="file" id="many" multiple hidden onchange="show(this)"></label>
<button id="open" onclick="const field = document.createElement('input'); field.type = 'file'; field.onchange = () => show(field); field.click()">Choose</button>
<button id="dead">Nothing</button><button id="modern" onclick="showOpenFilePicker().catch((error) => { out.textContent = error.name })">Modern</button><p id="out"></p>
<a id="plain" href="/file">plain</a><a id="blank" href="/file" target="_blank">blank</a><a id="evil" href="/evil">evil</a><iframe srcdoc='<a id="inner" href="/file">inner</a>'></iframe>
<script>const show = async (field) => { out.textContent = (await Promise.all(Array.from(field.files, async (file) => file.name + '=' + await file.text()))).join() }</script>`;

let server: TestServer;
let web: Server;
let origin: string;
beforeAll(async () => {
  web = createServer((request, response) => {
    const evil = request.url === '/evil';
    if (request.url === '/file' || evil)
      response
        .writeHead(200, { 'content-disposition': `attachment; filename="${evil ? '../../e vil.sh' : 'report.txt'}"` })
        .end('the report');
    else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const address = web.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  server = await sharedTestServer();
});
afterAll(async () => {
  await server.close();
  web.close();
  web.closeAllConnections();
});

const requestsSchema = z.object({ items: z.array(requestSummarySchema) });
const open = async (): Promise<string> => (await server.session(`${origin}/`)).id;
/** A session for tests that need no page. */
const blank = async (): Promise<string> => (await server.session()).id;
const at = (session: string, name?: string): string =>
  `/api/v1/sessions/${session}/files${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
async function send(method: string, route: string, body?: string): Promise<Response> {
  return fetch(`${server.origin}${route}`, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}` },
    ...(body === undefined ? {} : { body }),
  });
}
const codeIn = async (response: Response): Promise<string> =>
  z.object({ error: z.object({ code: z.string() }) }).parse(await response.json()).error.code;
const list = async (session: string) => z.array(fileSchema).parse(await (await send('GET', at(session))).json());
const said = async (session: string): Promise<string> =>
  z.string().parse(
    (
      await server.act(session, {
        kind: 'evaluate',
        fn: 'new Promise((done) => setTimeout(() => done(out.textContent), 50))',
      })
    ).value,
  );
const rows = async (session: string) =>
  z
    .array(timelineEventSchema)
    .parse((await server.api('GET', `/api/v1/sessions/${session}/timeline?limit=200`)).body)
    .map(({ text }) => text);

describe('the files of a session, by HTTP', () => {
  it('[DI2] are put, listed, given out as attachments and deleted', async () => {
    const session = await blank();
    expect((await send('PUT', at(session, 'Größe 1.txt'), 'hello')).status).toBe(201);
    expect(await list(session)).toMatchObject([{ name: 'Größe 1.txt', size: 5, from: 'upload' }]);
    const got = await send('GET', at(session, 'Größe 1.txt'));
    expect([await got.text(), Object.fromEntries(got.headers)]).toEqual([
      'hello',
      expect.objectContaining({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="file"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.txt`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      }),
    ]);
    expect([
      (await send('DELETE', at(session, 'Größe 1.txt'))).status,
      (await send('GET', at(session, 'Größe 1.txt'))).status,
    ]).toEqual([200, 404]);
    expect(await rows(session)).toEqual(
      expect.arrayContaining(['added the file Größe 1.txt', 'deleted the file Größe 1.txt']),
    );
  });

  it(`[T13] ${HOSTILE_NAMES.length} hostile names on four routes are refused or kept inside`, async () => {
    const session = await blank();
    const seen = new Set<number>();
    for (const name of HOSTILE_NAMES)
      for (const method of ['PUT', 'GET', 'DELETE'])
        seen.add(
          (await send(method, at(session, name.replaceAll(/\p{Cs}/gu, '?')), method === 'PUT' ? 'x' : undefined))
            .status,
        );
    // 201 and 200: a name that is only odd. 400 and 404: not even a name.
    expect([...seen].filter((status) => ![200, 201, 400, 403, 404].includes(status))).toEqual([]);
    const upload = await server.act(session, { kind: 'upload', paths: ['../../etc/passwd'] });
    expect([upload.error?.code, upload.error?.hint]).toEqual([
      'PATH_DENIED',
      'Use a file name inside the folder of this session.',
    ]);
    expect((await server.act(session, { kind: 'download', do: 'wait', saveAs: '../x' })).error?.code).toBe(
      'PATH_DENIED',
    );
  }, 60_000);

  it('[T6] another session sees none of them, and they are deleted with their session', async () => {
    const [first, second] = [await blank(), await blank()];
    await send('PUT', at(first, 'a.txt'), 'x');
    expect([await list(second), (await send('GET', at(second, 'a.txt'))).status]).toEqual([[], 404]);
    await server.api('DELETE', `/api/v1/sessions/${first}`);
    expect((await send('GET', at(first, 'a.txt'))).status).toBe(404);
  });

  it('[T13] a file is never written over', async () => {
    const session = await blank();
    await send('PUT', at(session, 'a.txt'), 'first');
    expect(await codeIn(await send('PUT', at(session, 'a.txt'), 'second'))).toBe('CONFLICT');
    expect(await (await send('GET', at(session, 'a.txt'))).text()).toBe('first');
  });
});

describe('upload', () => {
  /** One session with two files; each test has the page anew. */
  let session: string;
  beforeAll(async () => {
    session = await open();
    for (const name of ['a.txt', 'b.txt']) await send('PUT', at(session, name), `content of ${name}`);
  });
  beforeEach(async () => {
    expect(await server.act(session, { kind: 'navigate', url: `${origin}/` })).toMatchObject({ ok: true });
  });

  it.each([
    ['a file field', { selector: '#one' }, ['a.txt'], 'a.txt=content of a.txt'],
    [
      'a hidden field by its label',
      { selector: 'label' },
      ['a.txt', 'b.txt'],
      'a.txt=content of a.txt,b.txt=content of b.txt',
    ],
    ['a button that opens a chooser', { selector: '#open' }, ['b.txt'], 'b.txt=content of b.txt'],
  ])('[DI2] gives files to %s', async (_, target, paths, text) => {
    const reply = await server.act(session, { kind: 'upload', ...target, paths });
    expect([reply.error, reply.value, await said(session)]).toEqual([undefined, { files: paths }, text]);
  });

  it('[DI2] answers the chooser that opens next; the last armed answer wins, and the caller of the other is told', async () => {
    const armed = async () => (await rows(session)).filter((text) => /armed/.test(text)).length;
    const before = await armed();
    expect((await server.act(session, { kind: 'upload', paths: ['a.txt'] })).value).toEqual({ armed: ['a.txt'] });
    const second = await server.act(session, { kind: 'upload', paths: ['b.txt'] });
    expect(second.warnings[0]).toMatch(/^What .+ had armed for the next file chooser is replaced by this\.$/);
    await server.act(session, { kind: 'click', selector: '#open' });
    expect(await said(session)).toBe('b.txt=content of b.txt');
    expect((await armed()) - before).toBe(2);
  });

  it('[DI2] answers a chooser that is open already', async () => {
    await server.act(session, { kind: 'click', selector: '#open' });
    expect((await server.act(session, { kind: 'upload', paths: ['a.txt'] })).value).toEqual({ files: ['a.txt'] });
    expect(await said(session)).toBe('a.txt=content of a.txt');
  });

  it('[DI2] reports a chooser that cannot be answered; the page is told at once that it was cancelled, and the armed answer stays armed', async () => {
    await server.act(session, { kind: 'upload', paths: ['a.txt'] });
    const { error } = await server.act(session, { kind: 'upload', selector: '#modern', paths: ['b.txt'] });
    const heard = await said(session);
    await server.act(session, { kind: 'click', selector: '#open' });
    await expect.poll(() => said(session)).toBe('a.txt=content of a.txt');
    expect([
      error?.code,
      error?.message,
      error?.hint,
      heard,
      (await rows(session)).filter((text) => /by the File System Access API\. /.test(text)).length > 0,
    ]).toEqual([
      'UNSUPPORTED',
      expect.stringContaining('File System Access API'),
      expect.stringContaining('a file field'),
      'AbortError',
      true,
    ]);
  });

  it('[DI1][DI2] a chooser that alone is open is closed without an id, and not pressed OK', async () => {
    const close = { kind: 'dialog', do: 'answer', accept: false };
    await server.act(session, { kind: 'click', selector: '#open' });
    const pressed = await server.act(session, { ...close, accept: true });
    const closed = await server.act(session, close);
    const none = await server.act(session, close);
    expect([pressed.error?.code, pressed.error?.message, closed.ok, none.error?.code]).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('"kind":"upload"'),
      true,
      'CONFLICT',
    ]);
  });

  it.each([
    [
      'a file that is not there',
      { selector: '#one', paths: ['none.txt'] },
      'NOT_FOUND',
      'Check the id; list what exists first.',
    ],
    [
      'two files for one',
      { selector: '#one', paths: ['a.txt', 'b.txt'] },
      'BAD_REQUEST',
      'Correct the named field and send the request again.',
    ],
    [
      'what opens no chooser',
      { selector: '#dead', paths: ['a.txt'] },
      'WRONG_ELEMENT',
      'Name the file field itself, or what opens the chooser.',
    ],
  ])('[AC8] refuses %s', async (_, fields, code, hint) => {
    const { error } = await server.act(session, { kind: 'upload', ...fields });
    expect([error?.code, error?.hint]).toEqual([code, hint]);
  });
});

describe('download', () => {
  /** For tests that do not ask for the name of a first download. */
  let shared: string;
  beforeAll(async () => {
    shared = await open();
  });

  it('[DI2] the reply to a click that downloads names the download, and the file arrives', async () => {
    const session = await open();
    const reply = await server.act(session, { kind: 'click', selector: '#plain' });
    expect(reply.downloads).toMatchObject([{ name: 'report.txt', url: `${origin}/file` }]);
    expect((await server.act(session, { kind: 'download', do: 'wait' })).value).toMatchObject({
      name: 'report.txt',
      size: 10,
      from: 'download',
      url: `${origin}/file`,
    });
    expect(await (await send('GET', at(session, 'report.txt'))).text()).toBe('the report');
    expect(await rows(session)).toEqual(
      expect.arrayContaining(['A download began: report.txt', 'Downloaded: report.txt']),
    );
  });

  it('[PS1] the request that turned out to be a download has not failed', async () => {
    const session = shared;
    await server.act(session, { kind: 'download', do: 'click', selector: '#plain' });
    const done = async () =>
      requestsSchema
        .parse((await server.api('GET', `/api/v1/sessions/${session}/tabs/active/requests`)).body)
        .items.find(({ url, state }) => url === `${origin}/file` && state === 'done');
    expect(await vi.waitUntil(done, { timeout: 10_000 })).toMatchObject({ state: 'done', status: 200, download: true });
  });

  it('[DI2] clicks, waits and keeps it under the name asked for; the next of that name gets a number', async () => {
    const session = await open();
    const saved = await server.act(session, { kind: 'download', do: 'click', selector: '#plain', saveAs: 'mine.txt' });
    expect([saved.error, saved.value]).toEqual([undefined, expect.objectContaining({ name: 'mine.txt' })]);
    for (const name of ['report.txt', 'report (2).txt'])
      expect((await server.act(session, { kind: 'download', do: 'click', selector: '#plain' })).value).toMatchObject({
        name,
      });
    const taken = await server.act(session, { kind: 'download', do: 'click', selector: '#plain', saveAs: 'mine.txt' });
    expect([taken.error?.code, taken.error?.hint]).toEqual(['CONFLICT', 'Delete it first, or use another name.']);
  });

  it('[T13] the name that a page gives is only a name', async () => {
    const session = shared;
    expect((await server.act(session, { kind: 'download', do: 'click', selector: '#evil' })).value).toMatchObject({
      name: expect.stringMatching(/^[^/\\]*e vil( \(\d\))?\.sh$/),
    });
  });

  it('[DI2] a download from a popup that closes again, and one from a frame, are found', async () => {
    const session = await open();
    await server.act(session, { kind: 'click', selector: '#blank' });
    expect(await server.act(session, { kind: 'download', do: 'wait', tab: 't1', timeoutMs: 8_000 })).toMatchObject({
      value: { name: 'report.txt', size: 10 },
    });
    await server.act(session, {
      kind: 'evaluate',
      tab: 't1',
      fn: 'frames[0].document.getElementById("inner").click()',
    });
    expect(await server.act(session, { kind: 'download', do: 'wait', tab: 't1', timeoutMs: 8_000 })).toMatchObject({
      value: { name: 'report (2).txt' },
    });
  });

  it('[BU4] names the awaited download when none comes', async () => {
    const session = shared;
    const { error } = await server.act(session, { kind: 'download', do: 'wait', timeoutMs: 300 });
    expect([error?.code, error?.message, error?.hint]).toEqual([
      'TIMEOUT',
      'Not done within 300 ms while waiting for: a download to begin.',
      'Look at the call log in details: it shows what was waited for.',
    ]);
  });
});
