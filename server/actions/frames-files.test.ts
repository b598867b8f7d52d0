import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const INNER = `<!doctype html><input type="file" id="field" onchange="tell(this)"><button id="open" onclick="field.click()">Choose</button><a id="get" href="/file">Get</a><p id="out">-</p>
<script>const tell = async (from) => { out.textContent = (await Promise.all(Array.from(from.files, async (file) => file.name + '=' + await file.text()))).join() }</script>`;

let server: TestServer;
let web: Server;
let origin: string;
let session: string;
beforeAll(async () => {
  web = createServer(({ url }, response) => {
    if (url === '/file')
      response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('the report');
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          url === '/in'
            ? INNER
            : `<!doctype html><iframe src="${origin.replace('127.0.0.1', 'localhost')}/in" width="500" height="300"></iframe>`,
        );
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
beforeEach(async () => {
  session = (await server.session(`${origin}/`)).id;
  for (const name of ['a.txt', 'b.txt']) {
    await fetch(`${server.origin}/api/v1/sessions/${session}/files/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TEST_KEY}` },
      body: `content of ${name}`,
    });
  }
});

const act = (action: object) => server.act(session, action);
const inside = (selector: string) => ({ selector, frame: '/in' });

it.each([
  ['a file field', '#field'],
  ['a button that opens a chooser', '#open'],
])('[DI2] gives files to %s in a frame of another site', async (_, selector) => {
  const reply = await act({ kind: 'upload', ...inside(selector), paths: ['b.txt'] });
  const { value } = await act({
    kind: 'evaluate',
    ...inside('#out'),
    fn: 'async (out) => { while (out.textContent === "-") await new Promise(requestAnimationFrame); return out.textContent }',
  });
  expect([reply.error, reply.value, value]).toEqual([undefined, { files: ['b.txt'] }, 'b.txt=content of b.txt']);
});

it('[DI2] a chooser of such a frame takes the armed files, and an open one takes files that come later', async () => {
  const told = {
    kind: 'evaluate',
    ...inside('#out'),
    fn: 'async (out, before) => { while (out.textContent === before) await new Promise(requestAnimationFrame); return out.textContent }',
  };
  expect((await act({ kind: 'upload', paths: ['a.txt'] })).value).toEqual({ armed: ['a.txt'] });
  await act({ kind: 'click', ...inside('#open') });
  expect((await act({ ...told, args: ['-'] })).value).toBe('a.txt=content of a.txt');
  await act({ kind: 'click', ...inside('#open') });
  expect((await act({ kind: 'upload', paths: ['b.txt'] })).value).toEqual({ files: ['b.txt'] });
  expect((await act({ ...told, args: ['a.txt=content of a.txt'] })).value).toBe('b.txt=content of b.txt');
});

it("[DI2] a download that begins in such a frame is its tab's", async () => {
  const clicked = await act({ kind: 'click', ...inside('#get') });
  const waited = await act({ kind: 'download', do: 'wait', timeoutMs: 8_000 });
  expect([clicked.error, waited.value]).toMatchObject([undefined, { name: 'report.txt', size: 10 }]);
});
