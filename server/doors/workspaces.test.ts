import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PROTOCOL_VERSION } from '@/lib/protocol/catalog';
import { callsOf, signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask } from '@/server/testing/socket-client';

/** Several workspaces on one server (AU2, T6). */

const fixture = useServerFixture('<!doctype html><title>Workspaces</title>');
const idSchema = z.object({ id: z.string() });
const notFound = [404, { error: { code: 'NOT_FOUND' } }];
const forbidden = [403, { error: { code: 'FORBIDDEN' } }];
const owner = () => callsOf(fixture.server, { headers: fixture.owner });
const made = async (name: string): Promise<string> =>
  idSchema.parse((await owner()('POST', '/workspaces', { name }))[1]).id;
const ownerIn = (workspace: string) =>
  callsOf(fixture.server, { headers: { ...fixture.owner, 'x-workspace': workspace } });

describe('workspaces', () => {
  it('[AU2] the owner of the server makes them and owns them; nobody else does', async () => {
    const admin = callsOf(fixture.server, await signedInPerson(fixture.server, 'admin'));
    const id = await made('Second');
    const { workspace: home } = fixture.server.running.services.access.owner;
    const byKey = await fixture.server.api('POST', '/api/v1/workspaces', { name: 'By key' });

    expect(await owner()('GET', '/workspaces')).toEqual([
      200,
      expect.arrayContaining([
        { id: home, name: 'Home', role: 'owner', home: true, withheld: null },
        { id, name: 'Second', role: 'owner', home: false, withheld: null },
      ]),
    ]);
    expect(await ownerIn(id)('GET', '/workspace')).toMatchObject([200, { id, name: 'Second', role: 'owner' }]);
    expect([await admin('POST', '/workspaces', { name: 'Mine' }), [byKey.status, byKey.body]]).toMatchObject([
      forbidden,
      forbidden,
    ]);
  });

  it('[T6] a call, a link and a connection are for the workspace that they name, else for the home of the person', async () => {
    const id = await made('Third');
    const session = await fixture.open();
    const there = ownerIn(id);
    const linked = await owner()('GET', `/sessions?workspace=${id}`);
    const client = fixture.connect({ headers: fixture.owner, auth: { workspace: id } });
    const hello = await ask(client, 'hello', { protocol: PROTOCOL_VERSION });
    const wall = await ask(client, 'wall.watch', {});
    const joined = await ask(client, 'session.join', { session });
    const home = await ask(fixture.person(), 'hello', { protocol: PROTOCOL_VERSION });

    expect([await there('GET', '/sessions'), linked]).toEqual([
      [200, []],
      [200, []],
    ]);
    expect(await there('GET', `/sessions/${session}`)).toMatchObject(notFound);
    expect(hello).toMatchObject({ ok: true, data: { workspace: { id, name: 'Third' }, role: 'owner' } });
    expect([wall, joined]).toMatchObject([
      { ok: true, data: { sessions: [] } },
      { ok: false, error: { code: 'NOT_FOUND' } },
    ]);
    expect(home).toMatchObject({ ok: true, data: { workspace: { name: 'Home' }, role: 'owner' } });
  });

  it('[T6] a workspace of others answers as one that does not exist, to people and keys, at both doors', async () => {
    const id = await made('Fourth');
    const ada = await signedInPerson(fixture.server, 'admin', 'Ada');
    const answers = await Promise.all(
      [id, 'w_none'].flatMap((workspace) => [
        callsOf(fixture.server, { headers: { ...ada.headers, 'x-workspace': workspace } })('GET', '/sessions'),
        fixture.server
          .api('GET', '/api/v1/sessions', undefined, { 'x-workspace': workspace })
          .then(({ status, body }) => [status, body]),
      ]),
    );
    const refused = new Promise<string>((resolve, reject) => {
      const client = fixture.connect({ headers: ada.headers, auth: { workspace: id } });
      client.on('connect_error', (error) => resolve(error.message));
      client.on('connect', () => reject(new Error('connected')));
    });

    expect(answers).toMatchObject([notFound, notFound, notFound, notFound]);
    expect(await refused).toBe('NOT_FOUND');
  });

  it('[T6] who is invited into a second workspace has the role of that one there, and none of its sessions at home', async () => {
    const id = await made('Fifth');
    const ada = await signedInPerson(fixture.server, 'viewer', 'Ada');
    const { store, access } = fixture.server.running.services;
    await store.people.setRole(id, ada.id, 'admin', new Date());
    access.rights.apply({ kind: 'member', workspace: id, person: ada.id, role: 'admin' });
    const there = callsOf(fixture.server, { headers: { ...ada.headers, 'x-workspace': id } });
    const session = await fixture.open();

    expect((await there('GET', '/members'))[0]).toBe(200);
    expect(await callsOf(fixture.server, ada)('GET', '/members')).toMatchObject(forbidden);
    expect(await there('GET', `/sessions/${session}/access`)).toMatchObject(notFound);
  });
});

describe('the settings of a workspace', () => {
  const stateSchema = z.object({ name: z.string(), revision: z.string(), first: z.boolean() });
  const state = async (there: ReturnType<typeof ownerIn>) => stateSchema.parse((await there('GET', '/workspace'))[1]);

  it('[AU2] of two admins who change them at once, the second is told, and changes what is there now', async () => {
    const there = ownerIn(await made('Both'));
    const { revision } = await state(there);
    const first = await there('PATCH', '/workspace', { name: 'By Ada', revision });
    const second = await there('PATCH', '/workspace', { policy: { idleMs: 600_000 }, revision });
    const now = await state(there);
    const again = await there('PATCH', '/workspace', { policy: { idleMs: 600_000 }, revision: now.revision });
    const third = await state(there);
    const same = await there('PATCH', '/workspace', { name: 'By Ada', revision: third.revision });

    expect(first).toMatchObject([200, { name: 'By Ada', revision: now.revision, first: false }]);
    expect(second).toMatchObject([409, { error: { code: 'CONFLICT', details: { revision: now.revision } } }]);
    expect(again).toMatchObject([200, { name: 'By Ada', policy: { egress: null, idleMs: 600_000 } }]);
    expect(same).toMatchObject([200, { revision: third.revision }]);
    expect(new Set([revision, now.revision, third.revision]).size).toBe(3);
    expect((await state(owner())).first).toBe(true);
  });

  it('[GU1] are tried as they would be after a change by admins only; a viewer tries the present ones', async () => {
    const id = await made('Tried');
    await ownerIn(id)('PATCH', '/workspace', { policy: { egress: { kind: 'listed', sites: ['127.0.0.1:9'] } } });
    const viewer = callsOf(fixture.server, await signedInPerson(fixture.server, 'viewer', 'Vic', id));
    const check = (policies: object) =>
      viewer('POST', '/workspace/guard/check', { url: 'http://internal.test/', ...policies });

    expect(await check({})).toMatchObject([200, { rule: 'unlisted', by: 'workspace' }]);
    expect(await check({ session: { kind: 'local' } })).toMatchObject([200, { rule: 'unlisted', by: 'workspace' }]);
    expect([await check({ egress: null }), await check({ egress: { kind: 'open' } })]).toMatchObject([
      forbidden,
      forbidden,
    ]);
  });

  it('[GU1] say which rule decides about an address, also of policies that are not saved yet', async () => {
    const there = ownerIn(await made('Narrow'));
    const check = async (port: number, policies: object = {}) =>
      (await there('POST', '/workspace/guard/check', { url: `http://127.0.0.1:${port}/`, ...policies }))[1];
    const listed = { kind: 'listed', sites: ['127.0.0.1:9'] };
    const unlisted = (by: string) => ({ allowed: false, rule: 'unlisted', by });
    const allowed = { allowed: true, rule: null, by: null };
    const before = [await check(10), await check(10, { egress: listed }), await check(10, { session: listed })];
    await there('PATCH', '/workspace', { policy: { egress: listed } });

    expect(before).toEqual([allowed, unlisted('workspace'), unlisted('session')]);
    expect([await check(9), await check(10), await check(10, { egress: null })]).toEqual([
      allowed,
      unlisted('workspace'),
      allowed,
    ]);
    expect(await check(9, { egress: { kind: 'open' } })).toEqual({ allowed: false, rule: 'private', by: 'workspace' });
    expect((await there('POST', '/workspace/guard/check', { url: 'ftp://127.0.0.1/' }))[1]).toMatchObject({
      rule: 'scheme',
      by: 'server',
    });
  });
});

describe('a workspace that ends', () => {
  it('[AU2] is gone with its sessions, keys and invitations; its people stay in their others', async () => {
    const { store, access, hub } = fixture.server.running.services;
    const id = await made('Ending');
    const there = ownerIn(id);
    const [guest, both] = [
      await signedInPerson(fixture.server, 'admin', 'Guest', id),
      await signedInPerson(fixture.server, 'member', 'Both'),
    ];
    await store.people.setRole(id, both.id, 'member', new Date());
    access.rights.apply({ kind: 'member', workspace: id, person: both.id, role: 'member' });
    const { key } = z.object({ key: z.string() }).parse((await there('POST', '/keys', { name: 'Bot' }))[1]);
    const { url } = z.object({ url: z.string() }).parse((await there('POST', '/invitations', { role: 'viewer' }))[1]);
    await there('POST', '/sessions', {});
    const before = hub.list(id).length;
    const byAdmin = await callsOf(fixture.server, guest)('DELETE', '/workspace');
    const ended = await there('DELETE', '/workspace');
    const byKey = await fixture.server.api('GET', '/api/v1/sessions', undefined, { authorization: `Bearer ${key}` });
    const opened = await callsOf(fixture.server, both)('POST', '/invitations/open', { token: url.split('#')[1] });

    expect([before, byAdmin, ended]).toMatchObject([1, forbidden, [200, { id, state: 'ended' }]]);
    expect([hub.list(id), byKey.status, opened[0]]).toEqual([[], 401, 404]);
    expect(await there('GET', '/workspace')).toMatchObject(notFound);
    expect((await callsOf(fixture.server, guest)('GET', '/workspaces'))[0]).toBe(401);
    expect((await callsOf(fixture.server, both)('GET', '/workspaces'))[1]).toMatchObject([{ name: 'Home' }]);
  });

  it('[AU2] is never the first one of the server', async () => {
    expect(await owner()('DELETE', '/workspace')).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
  });
});

describe('addresses of the app', () => {
  const led = async (path: string, headers: Record<string, string>): Promise<string | null> =>
    (await fetch(`${fixture.server.origin}${path}`, { headers, redirect: 'manual' })).headers.get('location');

  it('[AU6] without a workspace lead to the home of the person, and of a session to the workspace that it is in', async () => {
    const { workspace: home } = fixture.server.running.services.access.owner;
    const id = await made('Sixth');
    const ada = await signedInPerson(fixture.server, 'member', 'Ada', id);
    const session = await fixture.open();

    expect(await led('/', fixture.owner)).toBe(`/w/${home}`);
    expect(await led('/?new=1', ada.headers)).toBe(`/w/${id}?new=1`);
    expect(await led(`/sessions/${session}`, fixture.owner)).toBe(`/w/${home}/sessions/${session}`);
    // A member of another workspace does not learn where it is.
    expect(await led(`/sessions/${session}`, ada.headers)).toBe(`/w/${id}/sessions/${session}`);
    expect(await led('/settings/keys', ada.headers)).toBe(`/w/${id}/settings/keys`);
    expect(await led('/', {})).toBe('/sign-in');
  });
});
