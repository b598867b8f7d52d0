import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Role } from '@/lib/rights/roles';
import { callsOf, signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask } from '@/server/testing/socket-client';

/** Who may enter a session and what as, by HTTP (SE1, AU3). */

const fixture = useServerFixture('<!doctype html><title>Access</title><button>Go</button>');
const person = async (role: Role, name: string = role) => {
  const one = await signedInPerson(fixture.server, role, name);
  const call = callsOf(fixture.server, one);
  return { ...one, call, view: async (id: string) => (await call('GET', `/sessions/${id}`))[0] };
};
type Someone = Awaited<ReturnType<typeof person>>;
const forbidden = [403, { error: { code: 'FORBIDDEN' } }];
const idSchema = z.object({ id: z.string() });

/** A session that this person made, without anybody at the wheel. */
async function madeBy({ call }: Someone): Promise<string> {
  return idSchema.parse((await call('POST', '/sessions', { url: fixture.url }))[1]).id;
}

const takes = async ({ call }: Someone, id: string): Promise<number> => {
  const [status] = await call('POST', `/sessions/${id}/tabs/active/control`, { do: 'take' });
  await call('POST', `/sessions/${id}/tabs/active/control`, { do: 'release' });
  return status;
};

describe('the access of a session', () => {
  it('[SE1][AU3] who made it opens it to named people only: for others it does not exist, and is back when it is open again', async () => {
    const [ada, bob, eve] = [
      await person('member', 'Ada'),
      await person('member', 'Bob'),
      await person('member', 'Eve'),
    ];
    const id = await madeBy(ada);
    const client = fixture.connect({ headers: eve.headers });
    await ask(client, 'wall.watch', {});
    await ask(client, 'session.join', { session: id });
    const gone = new Promise((resolve) => client.once('session.gone', (one) => resolve(one.id)));
    const named = await ada.call('PATCH', `/sessions/${id}/access`, { open: 'named', roles: { [bob.id]: 'peer' } });
    const seen = [await bob.view(id), await takes(bob, id), await eve.view(id), await gone];
    const back = new Promise((resolve) => client.once('session.state', (view) => resolve(view.id)));
    const opened = await ada.call('PATCH', `/sessions/${id}/access`, { open: 'workspace' });

    const roles = [{ who: bob.id, name: 'Bob', kind: 'person', role: 'peer' }];
    expect(named).toMatchObject([
      200,
      { open: 'named', watchOnly: false, owner: { id: ada.id, name: 'Ada' }, roles, mayChange: true },
    ]);
    expect(seen).toEqual([200, 200, 404, id]);
    expect([opened[0], await back, await eve.view(id)]).toEqual([200, id, 200]);
    const log = await fixture.server.running.services.store.log.list(ada.workspace, { kind: 'access', limit: 3 });
    const [, { name }] = z
      .tuple([z.number(), z.object({ name: z.string() })])
      .parse(await ada.call('GET', `/sessions/${id}`));
    expect(log.map(({ actor, text }) => `${actor.name} ${text}`)).toEqual([
      `Ada restricted the session “${name}” to named people and keys`,
      `Ada gave Bob the role peer in the session “${name}”`,
      `Ada opened the session “${name}” to the workspace`,
    ]);
  });

  it('[SE1][AU3] one that is watch-only: others only watch, named people and admins drive, and its view says so', async () => {
    const [ada, bob, eve, root] = [
      await person('member', 'Ada'),
      await person('member', 'Bob'),
      await person('member', 'Eve'),
      await person('admin', 'Root'),
    ];
    const id = await madeBy(ada);
    const before = await ada.call('GET', `/sessions/${id}`);
    await ada.call('PATCH', `/sessions/${id}/access`, { watchOnly: true, roles: { [bob.id]: 'peer' } });

    expect([await takes(eve, id), await eve.view(id), await takes(bob, id), await takes(root, id)]).toEqual([
      403, 200, 200, 200,
    ]);
    expect(before[1]).not.toHaveProperty('access');
    expect(await eve.call('GET', `/sessions/${id}`)).toMatchObject([
      200,
      { access: { open: 'workspace', watchOnly: true } },
    ]);
  });

  it('[AU3] a role that is changed holds at once: who drives loses the wheel, and a moderator changes roles too', async () => {
    const [ada, bob, eve] = [
      await person('member', 'Ada'),
      await person('member', 'Bob'),
      await person('member', 'Eve'),
    ];
    const id = await madeBy(ada);
    const tookIt = await bob.call('POST', `/sessions/${id}/tabs/active/control`, { do: 'take' });
    const byBob = await bob.call('PATCH', `/sessions/${id}/access`, { watchOnly: true });
    await ada.call('PATCH', `/sessions/${id}/access`, { roles: { [bob.id]: 'observer', [eve.id]: 'moderator' } });
    await expect.poll(() => fixture.inside(id).control('t1').state).toBe('free');
    const byEve = await eve.call('PATCH', `/sessions/${id}/access`, {
      roles: { [bob.id]: null, [ada.id]: 'observer' },
    });

    expect([tookIt[0], byBob]).toMatchObject([200, forbidden]);
    expect(byEve).toMatchObject([200, { mayChange: true }]);
    expect([await takes(bob, id), (await ada.call('PATCH', `/sessions/${id}/access`, {}))[0]]).toEqual([200, 200]);
  });

  it('[AU3] a viewer stays a viewer, whatever role they are given, and sees who is named but no candidates', async () => {
    const [ada, vi] = [await person('member', 'Ada'), await person('viewer', 'Vi')];
    const id = await madeBy(ada);
    const named = await ada.call('PATCH', `/sessions/${id}/access`, { open: 'named', roles: { [vi.id]: 'moderator' } });
    const [status, seen] = await vi.call('GET', `/sessions/${id}/access`);

    expect(named[1]).toMatchObject({ candidates: expect.arrayContaining([{ id: vi.id, name: 'Vi', kind: 'person' }]) });
    expect([status, await takes(vi, id)]).toEqual([200, 403]);
    expect(seen).toMatchObject({ mayChange: false, roles: [{ who: vi.id, role: 'moderator' }] });
    expect(seen).not.toHaveProperty('candidates');
    expect(await vi.call('PATCH', `/sessions/${id}/access`, { watchOnly: false })).toMatchObject(forbidden);
  });

  it('[AU2][AU3] a key gives nobody more than it has, and people or keys that are not here have no role', async () => {
    const ada = await person('member', 'Ada');
    const [, key] = await ada.call('POST', '/keys', { name: 'Bot', grants: ['watch', 'drive'] });
    const { id: bot, key: text } = idSchema.extend({ key: z.string() }).parse(key);
    const id = await madeBy(ada);
    const given = await ada.call('PATCH', `/sessions/${id}/access`, { open: 'named', roles: { [bot]: 'observer' } });
    const headers = { authorization: `Bearer ${text}` };
    const tried = await fixture.server.api('PATCH', `/api/v1/sessions/${id}/access`, { open: 'workspace' }, headers);
    const unknown = await ada.call('PATCH', `/sessions/${id}/access`, { roles: { p_none: 'peer' } });

    expect(given[1]).toMatchObject({ roles: [{ who: bot, name: 'Bot', kind: 'key', role: 'observer' }] });
    expect([tried.status, tried.body]).toMatchObject(forbidden);
    expect(unknown).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  });

  it('[AU2] a key that moderates its session opens it to nobody who would get more than the key', async () => {
    const ada = await person('admin', 'Ada');
    const [, key] = await ada.call('POST', '/keys', { name: 'Bot', grants: ['watch', 'drive', 'manage'] });
    const { key: text } = z.object({ key: z.string() }).parse(key);
    const headers = { authorization: `Bearer ${text}` };
    const bot = (method: string, path: string, body?: unknown) =>
      fixture.server.api(method, `/api/v1${path}`, body, headers);
    const { id } = idSchema.parse((await bot('POST', '/sessions', { url: fixture.url })).body);
    const closed = await bot('PATCH', `/sessions/${id}/access`, { open: 'named', watchOnly: true });
    const answers = [
      await bot('PATCH', `/sessions/${id}/access`, { watchOnly: false, open: 'workspace' }),
      await bot('PATCH', `/sessions/${id}/access`, { roles: { [ada.id]: 'peer' } }),
      await bot('PATCH', `/sessions/${id}/access`, { open: 'workspace' }),
    ];

    expect(closed.status).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
  });
});
