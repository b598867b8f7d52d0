import { expect, it } from 'vitest';
import { z } from 'zod';
import { FILES } from '@/server/features/files/file-transfers';
import { ask, type Client } from '@/server/testing/socket-client';
import { openLink, shareLink, type TestGuest } from '@/server/testing/links';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Shared</title><button style="position:absolute;left:20px;top:20px;width:120px;height:40px">Press</button><button style="position:absolute;left:20px;top:100px" onclick="window.open('about:blank')">More</button><a style="position:absolute;left:20px;top:160px" download="got.html" href="/?q=words">Get</a><script>let x = 0; const step = () => { document.body.style.marginTop = String((x += 1) % 50) + 'px'; requestAnimationFrame(step); }; step();</script>`;
const fixture = useServerFixture(PAGE);

const errorSchema = z.object({
  error: z.object({ code: z.string(), details: z.object({ reason: z.string().optional() }).optional() }),
});

/** Shares a session and opens the link in a new browser. */
async function guest(session: string, terms: object = {}): Promise<TestGuest> {
  return openLink(fixture.server, await shareLink(fixture.server, session, terms), { name: 'Mia' });
}

/** What a guest is answered: the status, with the code and reason of a refusal. */
async function calls(
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  method: string,
  path: string,
  body?: object,
) {
  const { origin } = fixture.server;
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { origin, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  const { code, details } = errorSchema.safeParse(json).data?.error ?? {};
  return { is: [answer.status, code, details?.reason].filter((part) => part !== undefined).join(' '), json };
}

async function* trace(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{}');
}

const connected = (one: TestGuest): Client =>
  fixture.connect({
    headers: { cookie: one.headers.cookie, origin: one.headers.origin },
    auth: { link: one.link },
  });

it('[AU4][T6] a guest sees the session of the link as a guest, and nothing else of the server', async () => {
  const session = await fixture.open();
  const other = (await fixture.server.session()).id;
  const mia = await guest(session);
  const seen = await calls(mia, 'GET', `/sessions/${session}`);
  const signedIn = { headers: { ...mia.headers, cookie: `${fixture.owner.cookie}; ${mia.headers.cookie}` } };
  const both = await calls(signedIn, 'GET', '/sessions');

  const offer = { id: mia.link, session, tab: null, grants: ['watch'], expiresAt: expect.any(String), by: 'Owner' };
  expect(mia.opened).toEqual({ ...offer, guest: { id: expect.any(String), name: 'Mia' } });
  expect(seen.json).toMatchObject({ id: session, browser: { id: '' }, tabs: [{ id: 't1', title: 'Shared' }] });
  expect([
    (await calls(mia, 'GET', `/sessions/${other}`)).is,
    (await calls(mia, 'GET', `/sessions/${session}/tabs/t1/console`)).is,
    (await calls(mia, 'POST', `/sessions/${session}/tabs/t1/control`, { do: 'take' })).is,
    (await calls({ headers: { cookie: mia.headers.cookie } }, 'GET', `/sessions/${session}`)).is,
    both.is,
  ]).toEqual(['404 NOT_FOUND', '403 FORBIDDEN', '403 FORBIDDEN', '401 UNAUTHENTICATED', '403 FORBIDDEN']);
});

it('[AU4][T1] a change by the cookie of a link needs our own Origin, and the link in a header', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { grants: ['drive'] });
  const act = `/sessions/${session}/tabs/t1/act`;
  const { 'x-link': link, ...cookie } = mia.headers;

  expect([
    (await calls({ headers: { ...mia.headers, origin: 'http://evil.example' } }, 'POST', act, { kind: 'none' })).is,
    (await calls({ headers: cookie }, 'POST', `${act}?link=${link}`, { kind: 'none' })).is,
    (await calls({ headers: cookie }, 'GET', `/sessions/${session}?link=${link}`)).is,
    (await calls(mia, 'POST', act, { kind: 'none' })).is,
    (await calls(mia, 'POST', act, { kind: 'evaluate', fn: '1' })).is,
    (await calls(mia, 'POST', act, { kind: 'screenshot' })).is,
  ]).toEqual(['403 FORBIDDEN', '401 UNAUTHENTICATED', '200', '200', '403 FORBIDDEN', '403 FORBIDDEN']);
});

it('[AU4][SN6] a guest who watches gets no picture by a snapshot, and no selector of theirs asks what fields hold', async () => {
  const session = await fixture.open();
  const mia = await guest(session);
  const act = async (action: object) => (await calls(mia, 'POST', `/sessions/${session}/tabs/t1/act`, action)).is;
  const selector = 'input[type=password][value^="a"]';
  const watch = { session, tab: 'active', options: { frame: 'iframe:has([value^="a"])' } };
  const client = connected(mia);
  await ask(client, 'session.join', { session });

  expect([
    await act({ kind: 'snapshot', labels: true }),
    await act({ kind: 'wait', selector, state: 'attached' }),
    (await calls(mia, 'GET', `/sessions/${session}/tabs/t1/snapshot?frame=${encodeURIComponent(selector)}`)).is,
    await act({ kind: 'snapshot' }),
  ]).toEqual(['403 FORBIDDEN', '403 FORBIDDEN', '403 FORBIDDEN', '200']);
  expect(await ask(client, 'snapshot.watch', watch)).toMatchObject({ error: { code: 'FORBIDDEN' } });
  expect(await ask(client, 'snapshot.watch', { ...watch, options: {} })).toMatchObject({ ok: true });
});

it('[AU4][DI2] guests get no traces, who sees one tab only its downloads and their own files, and each deletes their own only', async () => {
  const session = await fixture.open();
  const { sessionFiles } = FILES.of(fixture.inside(session));
  const files = `/sessions/${session}/files`;
  await fixture.server.api('PUT', `/api/v1${files}/theirs.txt`, { any: 'content' });
  await sessionFiles.put('trace.json', trace(), undefined, 'trace');
  await fixture.server.act(session, { kind: 'download', do: 'click', role: 'link', name: 'Get' });
  const all = await guest(session, { grants: ['drive', 'files'] });
  const one = await guest(session, { grants: ['files'], tab: 't1' });
  const list = async (who: TestGuest) => (await calls(who, 'GET', files)).json;
  await calls(one, 'PUT', `${files}/mine.txt`, { any: 'content' });
  await calls(all, 'POST', `/sessions/${session}/tabs/t1/control`, { do: 'take' });
  const unknown = await calls(one, 'GET', `${files}/theirs.txt`);

  expect(await list(one)).toMatchObject([{ name: 'got.html', url: `${fixture.site}/` }, { name: 'mine.txt' }]);
  expect(await list(all)).toMatchObject([{ name: 'theirs.txt' }, { name: 'got.html' }, { name: 'mine.txt' }]);
  expect(unknown.json).toMatchObject({ error: { code: 'NOT_FOUND', details: { files: ['got.html', 'mine.txt'] } } });
  expect([
    (await calls(all, 'GET', `${files}/trace.json`)).is,
    (await calls(all, 'POST', `/sessions/${session}/tabs/t1/act`, { kind: 'upload', paths: ['trace.json'] })).is,
    (await calls(one, 'DELETE', `${files}/theirs.txt`)).is,
    (await calls(all, 'DELETE', `${files}/theirs.txt`)).is,
    (await calls(one, 'DELETE', `${files}/mine.txt`)).is,
  ]).toEqual(['404 NOT_FOUND', '404 NOT_FOUND', '404 NOT_FOUND', '403 FORBIDDEN', '200']);
  expect((await calls(one, 'GET', `/sessions/${session}/downloads`)).json).toMatchObject([
    { tab: 't1', url: `${fixture.site}/` },
  ]);
});

it('[T9][AU4] a link that is ended in the middle of a drag takes the wheel, the pictures and the connection away, and says why', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { grants: ['drive'] });
  const client = connected(mia);
  const hello = await ask(client, 'hello', { protocol: 1 });
  const joined = await ask(client, 'session.join', { session });
  const first = new Promise<number>((resolve) =>
    client.on('frame', (meta, _, painted) => {
      painted();
      resolve(meta.geometry);
    }),
  );
  await ask(client, 'stream.open', { session, tab: 'active', tier: 'standard' });
  const geometry = await first;
  const taken = await ask(client, 'control', { session, tab: 'active', do: 'take' });
  const epoch = taken.ok ? taken.data.control.epoch : -1;
  const press = { type: 'down', x: 60, y: 40, modifiers: 0, button: 'left', buttons: 1, clickCount: 1 } as const;
  const held = await ask(client, 'input', { session, tab: 't1', epoch, geometry, event: press });
  const gone = new Promise<string>((resolve) => client.on('disconnect', resolve));
  const { body } = await fixture.server.api('DELETE', `/api/v1/sessions/${session}/links/${mia.link}`);
  await gone;
  const again = connected(mia);
  const refused = await new Promise<unknown>((resolve) => again.on('connect_error', (error) => resolve(error)));
  await expect.poll(() => fixture.inside(session).control('t1').state).toBe('free');

  expect(hello).toMatchObject({
    ok: true,
    data: { workspace: null, role: null, link: { session, grants: ['watch', 'drive'] } },
  });
  expect(joined).toMatchObject({ ok: true, data: { session: { id: session, browser: { id: '' } } } });
  expect([taken, held]).toMatchObject([
    { data: { control: { holder: { name: 'Guest: Mia', kind: 'human' } } } },
    { ok: true },
  ]);
  expect(body).toEqual({ id: mia.link, revoked: true });
  expect(refused).toMatchObject({ message: 'UNAUTHENTICATED', data: { details: { reason: 'revoked' } } });
  expect((await calls(mia, 'GET', `/sessions/${session}`)).is).toBe('401 UNAUTHENTICATED revoked');
});

it('[AU3][AU4] a link that is narrowed while its guest drives takes the wheel away; they keep watching, until its new end', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { grants: ['drive'] });
  const client = connected(mia);
  await ask(client, 'hello', { protocol: 1 });
  await ask(client, 'session.join', { session });
  await ask(client, 'control', { session, tab: 'active', do: 'take' });
  const told = new Promise<unknown>((resolve) => client.on('rights', resolve));
  const before = fixture.inside(session).control('t1').holder?.name;
  const path = `/api/v1/sessions/${session}/links/${mia.link}`;
  const changed = await fixture.server.api('PATCH', path, { grants: [], expiresIn: 7_200 });
  await expect.poll(() => fixture.inside(session).control('t1').state).toBe('free');
  const { expiresAt } = z.object({ expiresAt: z.string() }).parse(changed.body);

  expect(before).toBe('Guest: Mia');
  expect(changed).toMatchObject({ status: 200, body: { grants: ['watch'], uses: [{ name: 'Mia', here: true }] } });
  expect(await ask(client, 'control', { session, tab: 'active', do: 'take' })).toMatchObject({
    error: { code: 'FORBIDDEN', details: { grant: 'drive' } },
  });
  expect(await ask(client, 'timeline.list', { session })).toMatchObject({ ok: true });
  expect(await ask(client, 'stream.open', { session, tab: 'active', tier: 'thumbnail' })).toMatchObject({ ok: true });
  expect(await told).toMatchObject({ role: null, grants: [], link: { grants: ['watch'], expiresAt, by: 'Owner' } });
  expect(client.connected).toBe(true);
});

it('[AU4][CO8] a guest holds a page privately for one field only, and a moderator takes the wheel after the grace that the guest sees', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { grants: ['drive'] });
  const client = connected(mia);
  await ask(client, 'session.join', { session });
  const hold = { session, tab: 'active', do: 'take', private: true } as const;
  const endless = await ask(client, 'control', { ...hold, until: 'ended' });
  const held = await ask(client, 'control', hold);

  expect(endless).toMatchObject({ error: { code: 'FORBIDDEN' } });
  expect(held).toMatchObject({ data: { control: { private: { until: 'field' } } } });

  const owner = fixture.person();
  await ask(owner, 'session.join', { session });
  const asked = new Promise<unknown>((resolve) =>
    client.on('session.state', ({ tabs }) => tabs[0]?.control.asked && resolve(tabs[0].control.asked)),
  );
  const taken = await ask(owner, 'control', { session, tab: 't1', do: 'take' });

  expect(await asked).toMatchObject({ by: { name: 'Owner' }, passes: true });
  expect(taken).toMatchObject({ data: { control: { holder: { name: 'Owner' } } } });
  expect(fixture.inside(session).control('t1')).not.toHaveProperty('private');
});

it('[CO4][AU4] a guest and a member pass the wheel by name: request, deny, grant, hand over and release', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { grants: ['drive'] });
  const [phone, member] = [connected(mia), fixture.person()];
  for (const client of [phone, member]) await ask(client, 'session.join', { session });
  const passed: unknown[] = [];
  for (const [by, request] of [
    [member, { do: 'take' }],
    [phone, { do: 'take' }],
    [phone, { do: 'request' }],
    [member, { do: 'deny' }],
    [phone, { do: 'request' }],
    [member, { do: 'grant' }],
    [phone, { do: 'hand-over', to: 'Owner' }],
    [member, { do: 'hand-over', to: 'Guest: Mia' }],
    [phone, { do: 'hand-over', to: 'Guest: Zoe' }],
    [phone, { do: 'release' }],
  ] as const) {
    const answer = await ask(by, 'control', { session, tab: 't1', ...request });
    const { holder, asked } = fixture.inside(session).control('t1');
    passed.push([answer.ok ? 'ok' : answer.error.code, holder?.name, asked?.by.name]);
  }

  expect(passed).toEqual([
    ['ok', 'Owner', undefined],
    ['CONTROL_HELD', 'Owner', undefined],
    ['ok', 'Owner', 'Guest: Mia'],
    ['ok', 'Owner', undefined],
    ['ok', 'Owner', 'Guest: Mia'],
    ['ok', 'Guest: Mia', undefined],
    ['ok', 'Owner', undefined],
    ['ok', 'Guest: Mia', undefined],
    ['NOT_FOUND', 'Guest: Mia', undefined],
    ['ok', undefined, undefined],
  ]);
});

it('[AU5][AU4] a guest and a member see each other: where they look and point, by input or without, and a raised hand', async () => {
  const session = await fixture.open();
  const mia = await guest(session, { tab: 't1' });
  const [phone, member] = [connected(mia), fixture.person()];
  const pointed = (to: Client): Promise<unknown> => new Promise((resolve) => to.on('cursors', resolve));
  let shown = false;
  const toPhone = pointed(phone).finally(() => (shown = true));
  const toMember = pointed(member);
  const raised = new Promise<unknown>((resolve) =>
    member.on('session.state', ({ participants }) => {
      const found = participants.find(({ hand }) => hand !== undefined);
      if (found) resolve(found);
    }),
  );
  for (const client of [phone, member]) {
    await ask(client, 'session.join', { session });
    await ask(client, 'stream.open', { session, tab: 'active', tier: 'standard' });
  }
  const taken = await ask(member, 'control', { session, tab: 't1', do: 'take' });
  const epoch = taken.ok ? taken.data.control.epoch : -1;
  const move = { type: 'move', x: 30, y: 40, buttons: 0, modifiers: 0 } as const;
  // A guest gets no pointer before the page was looked at for secrets.
  await expect
    .poll(async () => {
      await ask(member, 'input', { session, tab: 't1', epoch, geometry: 0, event: move });
      return shown;
    })
    .toBe(true);
  const at = { x: 50, y: 60 };
  const many = await Promise.all(
    Array.from({ length: 60 }, () => ask(phone, 'cursor', { session, tab: 'active', at })),
  );
  const hand = await ask(phone, 'hand', { session, up: true });
  const [who] = fixture
    .inside(session)
    .participants.views()
    .flatMap(({ id, guest: is }) => (is ? [id] : []));

  expect([await toPhone, await toMember]).toEqual([
    { session, tab: 't1', moved: [{ who: expect.stringMatching(/^p_/u), x: 30, y: 40 }], gone: [] },
    { session, tab: 't1', moved: [{ who, ...at }], gone: [] },
  ]);
  expect(await raised).toMatchObject({ id: who, name: 'Guest: Mia', guest: true, mayDrive: false, watching: 't1' });
  expect([hand.ok, many.every(({ ok }) => ok)]).toEqual([true, true]);
});

it('[AU4] who sees one tab sees, names and takes no other', async () => {
  const session = await fixture.open();
  await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, { url: fixture.url });
  await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release', scope: 'session' });
  const mia = await guest(session, { grants: ['drive'], tab: 't1' });
  const seen = await calls(mia, 'GET', `/sessions/${session}/tabs`);
  const client = connected(mia);
  await ask(client, 'session.join', { session });
  const stream = { session, tier: 'standard' } as const;
  const unknown = await calls(mia, 'GET', `/sessions/${session}/tabs/t9/snapshot`);
  const elsewhere = await ask(client, 'stream.open', { ...stream, tab: 't2' });
  const own = await ask(client, 'stream.open', { ...stream, tab: 'active' });
  const taken = await ask(client, 'control', { session, tab: 'active', do: 'take' });
  const inside = fixture.inside(session);
  const printed = await calls(mia, 'GET', `/sessions/${session}/tabs/active/snapshot?view=webarena`);
  const inner = { kind: 'batch', actions: [{ kind: 'none', tab: 'zzzz' }] };
  const elsewhereInside = await calls(mia, 'POST', `/sessions/${session}/tabs/active/act`, inner);

  expect(seen.json).toMatchObject([{ id: 't1' }]);
  expect(printed.json).toMatchObject({ text: expect.stringMatching(/^Tab 0 \(current\): 'Shared'\n/) });
  expect(elsewhereInside.is).toBe('404 TAB_NOT_FOUND');
  expect(JSON.stringify(elsewhereInside.json)).not.toContain('"t2"');
  expect([
    (await calls(mia, 'GET', `/sessions/${session}/tabs/t2/snapshot`)).is,
    (await calls(mia, 'POST', `/sessions/${session}/tabs/t2/control`, { do: 'take' })).is,
    (await calls(mia, 'POST', `/sessions/${session}/tabs/active/act`, { kind: 'tab', do: 'open' })).is,
  ]).toEqual(['404 TAB_NOT_FOUND', '404 TAB_NOT_FOUND', '403 FORBIDDEN']);
  expect(JSON.stringify(unknown.json)).not.toContain('"t2"');
  expect([elsewhere, own, taken]).toMatchObject([{ error: { code: 'TAB_NOT_FOUND' } }, { ok: true }, { ok: true }]);
  expect([inside.control('t1').holder?.name, inside.control('t2').holder]).toEqual(['Guest: Mia', null]);
});

it('[AU4][SE2] who sees one tab is not told of its popups, and gives their wheel up with that of the tab', async () => {
  const session = await fixture.open();
  const inside = fixture.inside(session);
  const control = `/sessions/${session}/tabs/active/control`;
  const mia = await guest(session, { grants: ['drive'], tab: 't1' });
  await calls(mia, 'POST', control, { do: 'take' });
  const opened = await calls(mia, 'POST', `/sessions/${session}/tabs/active/act`, {
    ...{ kind: 'click', role: 'button', name: 'More' },
  });
  await expect.poll(() => inside.control('t2').holder?.name).toBe('Guest: Mia');
  await calls(mia, 'POST', control, { do: 'release', scope: 'tab' });

  expect([opened.is, JSON.stringify(opened.json).includes('"t2"')]).toEqual(['200', false]);
  expect([inside.control('t1').state, inside.control('t2').state]).toEqual(['free', 'free']);
});
