import { createServer, type Server } from 'node:http';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

let server: TestServer;
let site: Server;
let origin: string;
/** The same server, another site to Chrome. */
let elsewhere: string;
let session: string;
const tab = (name = 'active'): string => `/api/v1/sessions/${session}/tabs/${name}`;

beforeAll(async () => {
  site = createServer((request, response) => {
    if (
      request.url === '/private' &&
      request.headers.authorization !== `Basic ${Buffer.from('lin:geheim').toString('base64')}`
    ) {
      return void response
        .writeHead(401, { 'www-authenticate': 'Basic realm="private"', 'content-type': 'text/html' })
        .end('<p>no entry');
    }
    const { 'x-tour': tour = '', 'accept-language': language = '', cookie = '' } = request.headers;
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${JSON.stringify({ tour, language, cookie })}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  [origin, elsewhere] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  server = await sharedTestServer();
  session = (await server.session(`${origin}/`)).id;
});

afterAll(async () => {
  site.close();
  await server.close();
});

const value = async (fn: string, name = 'active'): Promise<unknown> =>
  z.object({ value: z.unknown() }).parse((await server.api('POST', `${tab(name)}/act`, { kind: 'evaluate', fn })).body)
    .value;
const body = async (method: string, rest: string, given?: unknown): Promise<unknown> =>
  (await server.api(method, `${tab()}/${rest}`, given)).body;
const go = async (url: string): Promise<void> => {
  expect(await server.act(session, { kind: 'navigate', url })).toMatchObject({ ok: true });
};

/** A key that may watch only. */
async function watcher(): Promise<Record<string, string>> {
  const made = await server.api('POST', '/api/v1/keys', {
    name: 'watcher',
    grants: ['watch'],
    sessions: 'workspace',
  });
  return { authorization: `Bearer ${z.object({ key: z.string() }).parse(made.body).key}` };
}

describe('cookies', () => {
  it('[PS3] are set, read with HttpOnly ones, and cleared, and are marked as the context’s', async () => {
    const set = await body('PUT', 'cookies', {
      cookies: [
        { name: 'sid', value: 'canary-cookie', httpOnly: true },
        { name: 'theme', value: 'dark', url: elsewhere, sameSite: 'Lax' },
      ],
    });
    const all = await body('GET', 'cookies');
    const here = await body('GET', `cookies?url=${encodeURIComponent(origin)}`);
    const seen = await value(
      '() => fetch("/").then((answer) => answer.text()).then((text) => /sid=canary-c/.test(text))',
    );
    const one = await body('DELETE', 'cookies?name=sid');
    const rest = await body('DELETE', 'cookies');

    const sid = {
      name: 'sid',
      value: 'canary-cookie',
      domain: '127.0.0.1',
      path: '/',
      size: 16,
      httpOnly: true,
      secure: false,
    };
    expect([set, one, rest, await body('GET', 'cookies')]).toEqual([
      { scope: 'context', changed: 2 },
      { scope: 'context', changed: 1 },
      { scope: 'context', changed: 1 },
      { scope: 'context', cookies: [] },
    ]);
    expect([all, here]).toEqual([
      {
        scope: 'context',
        cookies: expect.arrayContaining([sid, expect.objectContaining({ name: 'theme', sameSite: 'Lax' })]),
      },
      { scope: 'context', cookies: [sid] },
    ]);
    expect(seen).toBe(true);
  });

  it('[PS3] are given with names and no values to callers who may only watch', async () => {
    await body('PUT', 'cookies', { cookies: [{ name: 'sid', value: 'canary-watch' }] });
    const answer = await server.api('GET', `${tab()}/cookies`, undefined, await watcher());

    expect(answer.body).toEqual({
      scope: 'context',
      cookies: [{ name: 'sid', domain: '127.0.0.1', path: '/', size: 15, httpOnly: false, secure: false }],
    });
  });

  it('[CO1] cannot be set while another participant holds a tab of the session', async () => {
    await server.api('POST', `${tab('t1')}/control`, { do: 'release' });
    const second = await server.api('POST', `/api/v1/sessions/${session}/tabs`, {}, { 'x-agent': 'first' });
    const { id } = z.object({ id: z.string() }).parse(second.body);
    await server.api('POST', `${tab(id)}/control`, { do: 'take', scope: 'tab' }, { 'x-agent': 'first' });
    const refused = await server.api(
      'PUT',
      `${tab('t1')}/cookies`,
      { cookies: [{ name: 'a', value: 'b' }] },
      { 'x-agent': 'second' },
    );
    await server.api('POST', `${tab(id)}/control`, { do: 'release' }, { 'x-agent': 'first' });
    await server.api('DELETE', tab(id));

    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONTROL_HELD' } } });
  });

  it('[AC8] that Chrome does not take are refused with a cure', async () => {
    expect(
      await server.api('PUT', `${tab('t1')}/cookies`, { cookies: [{ name: '__Host-a', value: 'b' }] }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST', hint: expect.stringContaining('__Host-') } },
    });
  });
});

describe('storage', () => {
  it('[PS3] local is the origin’s, session is the tab’s; each is set, read and cleared', async () => {
    await go(`${origin}/`);
    const local = await body('PUT', 'storage/local', { values: { a: '1', b: 'canary-local' } });
    const own = await body('PUT', 'storage/session', { values: { c: '3' } });
    const inPage = await value('() => [Object.keys(localStorage), localStorage.b.length, { ...sessionStorage }]');
    const read = await body('GET', 'storage/local?key=b');
    const cleared = [
      await body('DELETE', 'storage/local?key=a'),
      await body('DELETE', 'storage/local'),
      await body('DELETE', 'storage/session'),
    ];

    expect([local, own]).toEqual([
      { scope: 'origin', origin, changed: 2 },
      { scope: 'tab', origin, changed: 1 },
    ]);
    expect(inPage).toEqual([['a', 'b'], 12, { c: '3' }]);
    expect([read, cleared]).toEqual([
      { scope: 'origin', origin, entries: [{ key: 'b', value: 'canary-local', size: 12 }] },
      [1, 1, 1].map((changed) => expect.objectContaining({ changed })),
    ]);
    expect(await value('() => [localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
  });

  it('[PS3] of a blank page does not exist, and the error says what to do', async () => {
    await go('about:blank');
    expect(await server.api('GET', `${tab()}/storage/local`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', hint: expect.stringContaining('Open the site') } },
    });
  });

  it('[T14] no value of a cookie or of storage is in any of our files', async () => {
    await server.api('GET', `${tab()}/timeline`);
    expect(filesWith(server.dataDir, 'canary-')).toEqual([]);
  });
});

/** Files below a folder that hold a text; Chrome's own profiles are its business. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory())
      return name === 'chrome' || name === 'profiles' || name === 'browsers' ? [] : filesWith(file, text);
    return readFileSync(file).includes(text) ? [file] : [];
  });
}

describe('emulation', () => {
  const PROBE = `() => [new Date(0).getTimezoneOffset(), (1.5).toLocaleString(), navigator.language, matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, devicePixelRatio]`;
  const settings = {
    timezone: 'Asia/Tokyo',
    locale: 'de-DE',
    media: { type: 'print', colorScheme: 'dark' },
    device: { width: 390, height: 844, deviceScaleFactor: 3 },
    headers: { 'X-Tour': 'yes', Authorization: 'canary-emulated' },
  };

  // One of its own for each: together they send more writes in a second than one participant may.
  beforeEach(async () => {
    session = (await server.session(`${origin}/`)).id;
  });

  it('[PS4] applies, survives a move to another site, is listed without secrets, and can be removed', async () => {
    await go(`${origin}/`);
    const before = await value(PROBE);
    const set = await body('PUT', 'emulation', settings);
    const here = await value(PROBE);
    await go(`${elsewhere}/`);
    const there = await value(PROBE);
    const sent = await value('() => document.body.innerText');
    const reset = await body('DELETE', 'emulation');
    await go(`${origin}/`);

    const emulated = [-540, '1,5', 'de-DE', true, true, 390, 3];
    expect([here, there]).toEqual([emulated, emulated]);
    expect(sent).toMatch(/"tour":"yes","language":"de-DE/);
    expect(set).toEqual({
      inForce: { ...settings, headers: { 'X-Tour': 'yes', Authorization: '•••' } },
      scope: { timezone: 'tab', locale: 'tab', media: 'tab', device: 'tab', headers: 'tab' },
    });
    expect([reset, await value(PROBE)]).toEqual([{ inForce: {}, scope: {} }, before]);
  });

  it('[PS4] for the session applies to every tab, also a later one, below the tab’s own', async () => {
    await body('PUT', 'emulation?scope=session', { timezone: 'Asia/Tokyo', locale: 'fr-FR' });
    const opened = await server.api('POST', `/api/v1/sessions/${session}/tabs`, { url: `${origin}/` });
    const { id } = z.object({ id: z.string() }).parse(opened.body);
    const inNew = await value('() => [new Date(0).getTimezoneOffset(), navigator.language]', id);
    const own = await server.api('PUT', `${tab(id)}/emulation`, { timezone: 'Europe/Berlin' });
    const mixed = await value('() => [new Date(0).getTimezoneOffset(), navigator.language]', id);
    await server.api('DELETE', `${tab(id)}/emulation?scope=session`);
    const left = await value('() => [new Date(0).getTimezoneOffset(), navigator.language]', id);
    await server.api('DELETE', tab(id));

    expect([inNew, mixed]).toEqual([
      [-540, 'fr-FR'],
      [-60, 'fr-FR'],
    ]);
    expect(own.body).toMatchObject({ scope: { timezone: 'tab', locale: 'session' } });
    expect(left).toEqual([-60, expect.not.stringContaining('fr')]);
  });

  it('[PS4] offline, throttling and geolocation', async () => {
    await go(`${origin}/`);
    await body('PUT', 'emulation', {
      offline: true,
      geolocation: { latitude: 48.1, longitude: 11.5 },
      throttling: { cpu: 2, network: 'fast-3g' },
    });
    const offline = await value(`() => fetch('/').then(() => 'online', () => 'offline')`);
    const place = await value(
      `() => new Promise((done) => navigator.geolocation.getCurrentPosition(({ coords }) => done(coords.latitude), ({ message }) => done(message)))`,
    );
    await body('DELETE', 'emulation');

    expect([offline, place, await value(`() => fetch('/').then(() => 'online', () => 'offline')`)]).toEqual([
      'offline',
      48.1,
      'online',
    ]);
  });

  it('[PS4] sends HTTP credentials once, only to their origin, and does not affect other requests', async () => {
    await body('PUT', 'emulation', { credentials: { username: 'lin', password: 'geheim', origin } });
    await go(`${origin}/private`);
    const inside = await value('() => document.body.innerText');
    await go(`${elsewhere}/private`);
    const outside = await value('() => document.body.innerText');
    const listed = await body('GET', 'emulation');
    await body('PUT', 'emulation', { credentials: { username: 'lin', password: 'wrong' } });
    await go(`${elsewhere}/private?again`);
    await body('DELETE', 'emulation');

    expect([inside, outside]).toEqual([expect.stringContaining('tour'), 'no entry']);
    expect(listed).toMatchObject({ inForce: { credentials: { username: 'lin', password: '•••' } } });
  });

  it.each([
    [{ timezone: 'Nowhere/Here' }, 'timezone'],
    [{ locale: '!!' }, 'locale'],
    [{ headers: { 'bad name': 'x' } }, 'headers'],
    [{ headers: { a: 'line\nbreak' } }, 'headers'],
    [{ throttling: { cpu: 0 } }, 'throttling'],
    [{ colour: 'red' }, 'colour'],
  ])('[AC8] %j is refused, naming the field', async (wrong, field) => {
    expect(await server.api('PUT', `${tab()}/emulation`, wrong)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST', message: expect.stringContaining(`"${field}`) } },
    });
  });
});
