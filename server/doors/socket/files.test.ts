import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { downloadSchema, filesNewsSchema, type FilesNews } from '@/lib/files/views';
import { sessionSchema, timelineEventSchema, type SessionView } from '@/lib/protocol/views';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const PAGE = `<!doctype html><title>t</title><style>body{margin:0}div,label{position:absolute;left:0;width:200px;height:80px;background:#ddd}</style>
<input type="file" id="one" accept="image/*,.pdf" hidden onchange="show(this.files)"><button id="open" style="position:absolute;left:300px" onclick="one.click()">Choose</button>
<div id="zone" style="top:100px">Drop here</div><iframe style="position:absolute;left:300px;top:120px;width:200px;height:80px;border:0" srcdoc='<input type="file" style="position:absolute;inset:0" onchange="parent.show(this.files)">'></iframe><div style="top:200px">Not here</div><label style="top:300px">Or here<input type="file" id="many" multiple hidden onchange="show(this.files)"></label>
<p id="out" style="position:absolute;top:400px"></p><a id="slow" href="/slow" style="position:absolute;left:300px;top:50px">slow</a><a id="cut" href="/cut" style="position:absolute;left:300px;top:80px">cut</a>
<script>window.show = async (files) => { out.textContent = (await Promise.all(Array.from(files, async (file) => file.name + '=' + await file.text()))).join() };
zone.addEventListener('dragover', (event) => event.preventDefault()); zone.addEventListener('drop', (event) => { event.preventDefault(); show(event.dataTransfer.files) });</script>`;

/** Bytes; more than will ever come. */
const SIZE = 100_000_000;

let server: TestServer;
let web: Server;
let origin: string;
let client: Client;
/** Downloads that come in drops, until they are ended. */
const dripping = new Set<ServerResponse>();
let isCut = false;
const DROP = Buffer.alloc(20_000);
const DROP_EVERY_MS = 50;

beforeAll(async () => {
  web = createServer((request, response) => {
    if (request.url !== '/slow' && request.url !== '/cut')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    // Chrome asks again by itself for what breaks off.
    if (request.url === '/cut' && isCut) return void response.writeHead(404).end();
    const name = request.url.slice(1);
    response.writeHead(200, { 'content-disposition': `attachment; filename="${name}.bin"`, 'content-length': SIZE });
    const drip = setInterval(() => response.write(DROP), DROP_EVERY_MS);
    response.on('close', () => clearInterval(drip));
    dripping.add(response);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const address = web.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  server = await sharedTestServer();
  client = connectClient(server.origin, { auth: { key: TEST_KEY, agent: 'watcher' } });
});
afterAll(async () => {
  client.disconnect();
  await server.close();
  web.closeAllConnections();
  web.close();
});

const put = (session: string, name: string) =>
  server.api('PUT', `/api/v1/sessions/${session}/files/${name}`, `content of ${name}`, {
    'content-type': 'application/octet-stream',
  });
const rows = async (session: string) =>
  z
    .array(timelineEventSchema)
    .parse((await server.api('GET', `/api/v1/sessions/${session}/timeline?limit=200`)).body)
    .map(({ text }) => text);

/** The pushed state of a session as a client keeps it; tests wait for a state and never check it at once. */
function followed(session: string) {
  const state: { files: FilesNews; view: SessionView | undefined } = {
    files: { files: [], downloads: [], used: 0, limit: 0 },
    view: undefined,
  };
  const looks = new Set<() => void>();
  const told = (): void => looks.forEach((look) => look());
  const take = (news: FilesNews): void => {
    state.files = { ...news, files: news.files ?? state.files.files };
    told();
  };
  client.on('files', (push) => {
    if (push.session === session) take(filesNewsSchema.parse(push.files));
  });
  client.on('session.state', (view) => {
    if (view.id !== session) return;
    state.view = sessionSchema.parse(view);
    told();
  });
  const until = <T>(read: (now: typeof state) => T | undefined | false): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = read(state);
        if (found === undefined || found === false) return;
        looks.delete(look);
        resolve(found);
      };
      looks.add(look);
      look();
    });
  return { take, until };
}

async function open(): Promise<{ session: string } & ReturnType<typeof followed>> {
  const { id: session } = await server.session(`${origin}/`, 'buyer');
  const watched = followed(session);
  await ask(client, 'session.join', { session });
  const first = await ask(client, 'files.watch', { session });
  if (first.ok) watched.take(first.data.files);
  return { session, ...watched };
}

describe('the files of a session, followed', () => {
  it('[DI2] are announced when they are added and removed, with their uploader and the room left', async () => {
    const { session, until } = await open();
    await put(session, 'a.txt');
    expect(await until(({ files }) => files.files?.[0])).toMatchObject({
      name: 'a.txt',
      size: 16,
      from: 'upload',
      by: expect.any(String),
    });
    expect(await until(({ files }) => files.used === 16 && files.limit)).toBeGreaterThan(16);
    await server.api('DELETE', `/api/v1/sessions/${session}/files/a.txt`);
    await until(({ files }) => files.files?.length === 0 && files.used === 0);
  });

  it('[DI2] a download is announced while it runs, with the driver; when cancelled it is removed from list and disk', async () => {
    const { session, until } = await open();
    await server.act(session, { kind: 'click', selector: '#slow' }, 'buyer');
    const going = await until(({ files }) => files.downloads.find(({ received }) => received > 0));
    expect(going).toMatchObject({ name: 'slow.bin', state: 'running', total: SIZE, tab: 't1', by: 'buyer' });
    expect((await server.api('DELETE', `/api/v1/sessions/${session}/downloads/${going.id}`)).status).toBe(200);
    await until(({ files }) => files.downloads.length === 0);
    expect(await rows(session)).toContain('cancelled the download of slow.bin');
    expect((await server.api('DELETE', `/api/v1/sessions/${session}/downloads/${going.id}`)).status).toBe(404);
  });

  it('[DI2] a failed download says so, and any watcher who saw it can remove it from the list', async () => {
    const { session, until } = await open();
    isCut = false;
    await server.act(session, { kind: 'click', selector: '#cut' }, 'buyer');
    await until(({ files }) => files.downloads.some(({ received }) => received > 0));
    isCut = true;
    for (const response of dripping) response.destroy();
    const failed = await until(({ files }) => files.downloads.find(({ state }) => state === 'failed'));
    expect(failed).toMatchObject({ name: 'cut.bin', failure: 'broken', reason: 'it broke off' });
    expect(await rows(session)).toContain('cut.bin was not downloaded: it broke off.');
    const listed = await server.api('GET', `/api/v1/sessions/${session}/downloads`);
    expect(z.array(downloadSchema).parse(listed.body)).toMatchObject([{ id: failed.id, state: 'failed' }]);
    await server.api('DELETE', `/api/v1/sessions/${session}/downloads/${failed.id}`);
    await until(({ files }) => files.downloads.length === 0);
  });
});

describe('a file chooser', () => {
  it('[DI2] is shown to everybody with the types it accepts, and disappears when it is answered', async () => {
    const { session, until } = await open();
    await put(session, 'a.txt');
    await server.act(session, { kind: 'click', selector: '#open' }, 'buyer');
    expect(await until(({ view }) => view?.tabs[0]?.chooser?.accept !== '' && view?.tabs[0]?.chooser)).toMatchObject({
      multiple: false,
      accept: 'image/*,.pdf',
    });
    expect((await server.act(session, { kind: 'upload', paths: ['a.txt'] }, 'buyer')).error).toBeUndefined();
    await until(({ view }) => view?.tabs[0]?.chooser === undefined);
  });

  it('[DI2] is closed without files by its id, by the holder of the lease; any other answer is refused', async () => {
    const { session, until } = await open();
    await server.act(session, { kind: 'click', selector: '#open' }, 'buyer');
    const { id } = await until(({ view }) => view?.tabs[0]?.chooser);
    const close = { kind: 'dialog', do: 'answer', dialogId: id, accept: false };
    const others = await server.act(session, close, 'other');
    const accepted = await server.act(session, { ...close, accept: true }, 'buyer');
    const closed = await server.act(session, close, 'buyer');
    const again = await server.act(session, close, 'buyer');
    expect([others.error?.code, accepted.error?.code, closed.ok, again.error?.code]).toEqual([
      'CONTROL_HELD',
      'BAD_REQUEST',
      true,
      'CONFLICT',
    ]);
    await until(({ view }) => view?.tabs[0]?.chooser === undefined);
    expect(await rows(session)).toContain('The page was given no files.');
  });
});

describe('files that are dropped on the page', () => {
  it.each([
    ['a place that takes them', { x: 50, y: 140 }, 'a.txt=content of a.txt,b.txt=content of b.txt'],
    ['the label of a file field', { x: 50, y: 340 }, 'a.txt=content of a.txt,b.txt=content of b.txt'],
    ['a field in a frame', { x: 340, y: 135 }, 'a.txt=content of a.txt'],
  ])('[DI2] reach %s', async (_, at, text) => {
    const { session } = await open();
    for (const name of ['a.txt', 'b.txt']) await put(session, name);
    const reply = await server.act(
      session,
      { kind: 'upload', at, paths: text.includes('b.txt') ? ['a.txt', 'b.txt'] : ['a.txt'] },
      'buyer',
    );
    const shown = await server.act(session, { kind: 'wait', text }, 'buyer');
    expect([reply.error, reply.via, shown.error]).toEqual([undefined, 'point', undefined]);
  });

  it('[DI2][GU1] are refused where the page takes none, and nothing is opened', async () => {
    const { session } = await open();
    await put(session, 'a.txt');
    const reply = await server.act(session, { kind: 'upload', at: { x: 50, y: 240 }, paths: ['a.txt'] }, 'buyer');
    const { tabs } = sessionSchema.parse((await server.api('GET', `/api/v1/sessions/${session}`)).body);
    expect([reply.error?.code, reply.error?.message, tabs.map(({ url }) => url)]).toEqual([
      'WRONG_ELEMENT',
      'Nothing at that point takes files.',
      [`${origin}/`],
    ]);
  });
});
