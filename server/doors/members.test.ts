import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Role } from '@/lib/rights/roles';
import { callsOf, signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The people of a workspace and their roles, by HTTP (AU2). */

const fixture = useServerFixture('<!doctype html><title>People</title>');
const person = async (role: Role, name: string = role) => {
  const one = await signedInPerson(fixture.server, role, name);
  return { ...one, call: callsOf(fixture.server, one) };
};
const forbidden = [403, { error: { code: 'FORBIDDEN' } }];
const owners = () => callsOf(fixture.server, { headers: fixture.owner });

it('[AU2] admins see the people of the workspace and their roles, members do not', async () => {
  const [admin, member] = [await person('admin', 'Ada'), await person('member', 'Bob')];
  const [status, people] = await admin.call('GET', '/members');

  expect(status).toBe(200);
  expect(people).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: admin.id, name: 'Ada', role: 'admin', email: null, serverOwner: false }),
      expect.objectContaining({ id: member.id, name: 'Bob', role: 'member' }),
      expect.objectContaining({ role: 'owner', serverOwner: true }),
    ]),
  );
  expect(await member.call('GET', '/members')).toMatchObject(forbidden);
});

it('[AU2] admins change roles up to admin and owners all, at once, and the log tells of it', async () => {
  const [admin, other] = [await person('admin', 'Ada'), await person('viewer', 'Bob')];
  const set = (role: Role) => admin.call('PATCH', `/members/${other.id}`, { role });
  const asViewer = await other.call('GET', '/keys');
  const made = await set('member');
  const asMember = await other.call('GET', '/keys');
  const refused = await set('owner');
  const byOwner = await owners()('PATCH', `/members/${other.id}`, { role: 'owner' });
  const lowered = await set('member');

  expect([asViewer, made, asMember[0]]).toMatchObject([forbidden, [200, { id: other.id, role: 'member' }], 200]);
  expect([refused, byOwner, lowered]).toMatchObject([forbidden, [200, { role: 'owner' }], forbidden]);
  const log = await fixture.server.running.services.store.log.list(other.workspace, { kind: 'member', limit: 2 });
  expect(log.map(({ actor, text, about }) => [actor.name, text, about?.id])).toEqual([
    ['Ada', 'changed the role of Bob from viewer to member', other.id],
    ['Owner', 'changed the role of Bob from member to owner', other.id],
  ]);
});

it('[AU2] the list says what its reader may do for each, and nothing that is refused', async () => {
  const { store } = fixture.server.running.services;
  const admin = await person('admin', 'Ada');
  const [bob, eve] = [await person('member', 'Bob'), await person('owner', 'Eve')];
  await store.people.setEmail(bob.id, `${bob.id}@may.example`, new Date());
  const listed = z.array(z.object({ id: z.string(), may: z.array(z.string()) }));
  const mayOf = async (call: typeof admin.call, id: string) =>
    listed.parse((await call('GET', '/members'))[1]).find((one) => one.id === id)?.may;
  const byKey = await fixture.server.api('GET', '/api/v1/members');

  expect(await mayOf(admin.call, bob.id)).toEqual(['role', 'remove', 'password']);
  expect(await mayOf(admin.call, admin.id)).toEqual(['role', 'remove']);
  expect(await mayOf(admin.call, eve.id)).toEqual([]);
  expect(await mayOf(owners(), eve.id)).toEqual(['role', 'remove']);
  expect(await mayOf(owners(), fixture.server.running.services.access.owner.id)).toEqual([]);
  expect(listed.parse(byKey.body).every(({ may }) => may.length === 0)).toBe(true);
});

it('[AU2] two admins who edit one person at once: the second is told of the change of the first', async () => {
  const [one, two, member] = [
    await person('admin', 'Ada'),
    await person('admin', 'Eve'),
    await person('member', 'Bob'),
  ];
  const answers = await Promise.all([
    one.call('PATCH', `/members/${member.id}`, { role: 'viewer', from: 'member' }),
    two.call('PATCH', `/members/${member.id}`, { role: 'admin', from: 'member' }),
  ]);
  const [won, lost] = answers.toSorted(([a], [b]) => a - b);
  const role = fixture.server.running.services.access.rights.roleOf(member.workspace, member.id);

  expect(won).toMatchObject([200, { role }]);
  expect(lost).toMatchObject([
    409,
    {
      error: {
        code: 'CONFLICT',
        message: `The role of Bob was changed in the meantime: it is ${role} now.`,
        details: { role },
      },
    },
  ]);
});

it('[AU2] two admins who lower each other at once: one of them remains', async () => {
  const [one, two] = [await person('admin', 'Ada'), await person('admin', 'Eve')];
  const answers = await Promise.all([
    one.call('PATCH', `/members/${two.id}`, { role: 'viewer' }),
    two.call('PATCH', `/members/${one.id}`, { role: 'viewer' }),
  ]);

  expect(answers.map(([status]) => status).toSorted()).toEqual([200, 403]);
});

it('[AU2] the last owner stays one, an unknown person is not found, and keys change no roles', async () => {
  const { owner } = fixture.server.running.services.access;
  const viewer = await person('viewer');
  const [, { id }] = z
    .tuple([z.literal(201), z.object({ id: z.string() })])
    .parse(await owners()('POST', '/workspaces', { name: 'Alone' }));
  const alone = callsOf(fixture.server, { headers: { ...fixture.owner, 'x-workspace': id } });

  expect(await alone('PATCH', `/members/${owner.id}`, { role: 'admin' })).toMatchObject([
    409,
    { error: { code: 'CONFLICT' } },
  ]);
  expect(await owners()('PATCH', '/members/p_none', { role: 'admin' })).toMatchObject([
    404,
    { error: { code: 'NOT_FOUND' } },
  ]);
  const byKey = await fixture.server.api('PATCH', `/api/v1/members/${viewer.id}`, { role: 'member' });
  expect([byKey.status, byKey.body]).toMatchObject(forbidden);
});
