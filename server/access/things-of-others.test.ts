import { expect, it } from 'vitest';
import { ROLES, type Role } from '@/lib/rights/roles';
import { tempStore } from '@/server/testing/temp-store';
import { createAccess } from './access';
import type { HumanPrincipal } from './principal';

const FROM = { headers: { host: '127.0.0.1:7400' }, address: '127.0.0.1' };
const KEY = { name: 'Bot', grants: ['watch'], sessions: 'workspace' } as const;

async function fixture() {
  const store = await tempStore();
  const config = { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined };
  const access = await createAccess({ store, config });
  access.listening(7400);
  const { workspace } = access.owner;
  /** Somebody with this role, signed in. */
  const person = async (role: Role): Promise<HumanPrincipal> => {
    const { id } = await store.people.add({ workspace, name: role, role }, new Date());
    access.rights.apply({ kind: 'member', workspace, person: id, role });
    return (await access.authentication.admitPerson(id, 'link', FROM)).principal;
  };
  return { access, person };
}

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

/** The outcomes of each deed by each role on a thing that `make` makes anew, as one line for each role. */
async function outcomes(
  { person }: Awaited<ReturnType<typeof fixture>>,
  make: (by: HumanPrincipal) => Promise<string>,
  deeds: readonly ((by: HumanPrincipal, id: string) => Promise<unknown>)[],
): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const role of ROLES) {
    const by = await person(role);
    const cells: string[] = [];
    for (const deed of deeds) cells.push(await outcomeOf(deed(by, await make(by))));
    rows[role] = cells.join(' ');
  }
  return rows;
}

it('[AU3][T6] keys: their own person changes, renews and ends them; others are not there, but for managers; ended ones for nobody', async () => {
  const all = await fixture();
  const { keys } = all.access;
  const eve = await all.person('member');
  const made = async (by: HumanPrincipal): Promise<string> => (await keys.create(by, KEY)).key.id;
  const ended = async (by: HumanPrincipal): Promise<string> => {
    const id = await made(by);
    await keys.revoke(by, id);
    return id;
  };
  const deeds = [
    (by: HumanPrincipal, id: string) => keys.change(by, id, { name: 'Renamed' }),
    (by: HumanPrincipal, id: string) => keys.rotate(by, id),
    (by: HumanPrincipal, id: string) => keys.revoke(by, id),
  ];
  const done = 'done done done';
  const gone = 'NOT_FOUND NOT_FOUND NOT_FOUND';

  expect(await outcomes(all, made, deeds)).toEqual({ viewer: done, member: done, admin: done, owner: done });
  const [manager, nobody] = ['done FORBIDDEN done', { viewer: gone, member: gone }];
  expect(await outcomes(all, () => made(eve), deeds)).toEqual({ ...nobody, admin: manager, owner: manager });
  expect(await outcomes(all, ended, deeds)).toEqual({ ...nobody, admin: gone, owner: gone });
  expect(await outcomes(all, () => ended(eve), deeds)).toEqual({ ...nobody, admin: gone, owner: gone });
});

it('[AU3][T6] invitations: who could make them changes and ends them, whoever made them; ended ones are there for nobody', async () => {
  const all = await fixture();
  const { invitations } = all.access;
  const eve = await all.person('owner');
  const made = (role: Role) => async (): Promise<string> => (await invitations.create(eve, { role })).invitation.id;
  const ended = async (): Promise<string> => {
    const id = await made('member')();
    await invitations.revoke(eve, id);
    return id;
  };
  const deeds = [
    (by: HumanPrincipal, id: string) => invitations.change(by, id, { role: 'viewer' }),
    (by: HumanPrincipal, id: string) => invitations.revoke(by, id),
  ];
  const [done, closed, gone] = ['done done', 'FORBIDDEN FORBIDDEN', 'NOT_FOUND NOT_FOUND'];
  const below = { viewer: closed, member: closed };

  expect(await outcomes(all, made('member'), deeds)).toEqual({ ...below, admin: done, owner: done });
  expect(await outcomes(all, made('owner'), deeds)).toEqual({ ...below, admin: closed, owner: done });
  expect(await outcomes(all, ended, deeds)).toEqual({ viewer: gone, member: gone, admin: gone, owner: gone });
});

it('[AU3][T6] members: admins appoint and remove those below owners, owners everybody; somebody who left is there for nobody', async () => {
  const all = await fixture();
  const { members, removal } = all.access;
  const owner = await all.person('owner');
  const made = (role: Role) => async (): Promise<string> => (await all.person(role)).person;
  const left = async (): Promise<string> => {
    const { person } = await all.person('member');
    await removal.remove(owner, person);
    return person;
  };
  const deeds = [
    (by: HumanPrincipal, id: string) => members.setRole(by, id, { role: 'viewer' }),
    (by: HumanPrincipal, id: string) => removal.remove(by, id),
  ];
  const [done, closed, gone] = ['done done', 'FORBIDDEN FORBIDDEN', 'NOT_FOUND NOT_FOUND'];
  const below = { viewer: closed, member: closed };

  expect(await outcomes(all, made('member'), deeds)).toEqual({ ...below, admin: done, owner: done });
  expect(await outcomes(all, made('owner'), deeds)).toEqual({ ...below, admin: closed, owner: done });
  expect(await outcomes(all, left, deeds)).toEqual({ viewer: gone, member: gone, admin: gone, owner: gone });
});
