import { describe, expect, it } from 'vitest';
import type { Role } from '@/lib/rights/roles';
import { tempSession, tempStore } from '@/server/testing/temp-store';
import { createAccess } from './access';
import { humanOf, type HumanPrincipal } from './principal';
import { hashToken, randomToken } from './tokens';

const HOST = '127.0.0.1:7400';
const LATER = new Date('2099-01-01T00:00:00Z');
const address = '127.0.0.1';

/** A server with its owner, and a way to sign others in. */
async function fixture() {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const access = await createAccess({
    store,
    config: { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined },
  });
  access.listening(7400);
  const now = new Date();
  const signIn = async (person: string): Promise<{ by: HumanPrincipal; cookie: string }> => {
    const token = randomToken();
    await store.signIns.add({ workspace, person, hash: hashToken(token), factor: 'link', expiresAt: LATER }, now);
    const cookie = `wh_7400=${token}`;
    return {
      by: humanOf(await access.authentication.requirePrincipal({ headers: { host: HOST, cookie }, address })),
      cookie,
    };
  };
  const member = async (role: Role, name: string = role) => {
    const email = `${name}@example.com`;
    const { id } = await store.people.add({ workspace, name, email, role }, now);
    access.rights.apply({ kind: 'member', workspace, person: id, role });
    return { id, ...(await signIn(id)) };
  };
  const owner = { id: access.owner.id, ...(await signIn(access.owner.id)) };
  return { store, access, workspace, session, owner, member, signIn, now };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

describe('a removed person', () => {
  it('[AU2] loses sign-ins, keys, invitations and links at once, and their sessions pass to the oldest owner', async () => {
    const { store, access, workspace, session, owner, member, now } = await fixture();
    const ada = await member('admin', 'ada');
    await member('owner', 'later owner');
    const { key, text } = await access.keys.create(ada.by, { name: 'Bot', grants: ['watch'], sessions: 'workspace' });
    const robot = await access.authentication.requirePrincipal({
      headers: { host: HOST, authorization: `Bearer ${text}` },
      address,
    });
    const { url } = await access.invitations.create(ada.by, { role: 'member' });
    const link = hashToken(randomToken());
    await store.signIns.addToken({ workspace, person: ada.id, hash: link, expiresAt: LATER }, now);
    const roles = { [ada.id]: 'moderator' } as const;
    const shared = await store.access.change(workspace, session, { owner: ada.id, roles }, now);
    if (shared) access.rights.apply({ kind: 'session', access: shared });
    const ended: unknown[] = [];
    access.onRevoked((credential) => ended.push(credential));
    await access.removal.remove(owner.by, ada.id);
    const row = (await store.log.list(workspace, { limit: 10 })).at(-1);

    expect(ended).toEqual([ada.by.credential, { kind: 'key', id: key.id }]);
    expect([access.isLive(ada.by), access.isLive(robot)]).toEqual([false, false]);
    expect(
      await codeOf(access.authentication.requirePrincipal({ headers: { host: HOST, cookie: ada.cookie }, address })),
    ).toBe('UNAUTHENTICATED');
    expect(await codeOf(access.invitations.open(new URL(url).hash.slice(1)))).toBe('NOT_FOUND');
    expect(await store.signIns.canRedeem(link, now)).toBe(false);
    expect(access.rights.access(session)).toMatchObject({ owner: owner.id, roles: new Map() });
    expect(access.rights.roleOf(workspace, ada.id)).toBeUndefined();
    expect(row).toMatchObject({
      actor: { id: owner.id },
      text: 'removed ada from the workspace',
      about: { id: ada.id },
    });
  });

  it('[AU2] can have an account again with the same address: another person, without the old password', async () => {
    const { store, access, owner, member } = await fixture();
    const ada = await member('member', 'ada');
    await store.signIns.knowBrowser('browser', ada.id, new Date());
    await access.removal.remove(owner.by, ada.id);
    const { url } = await access.invitations.create(owner.by, { role: 'viewer', email: 'ada@example.com' });
    const again = await access.invitations.addNewcomer(new URL(url).hash.slice(1), {
      name: 'Ada',
      email: 'ada@example.com',
    });

    expect(again.id).not.toBe(ada.id);
    expect(await store.people.find(ada.id)).toMatchObject({ name: 'ada', email: undefined });
    expect(await store.signIns.isKnownBrowser('browser', ada.id)).toBe(false);
  });

  it('[AU2] stays signed in where they are in another workspace, which becomes their home', async () => {
    const { store, access, workspace, owner, member, now } = await fixture();
    const ada = await member('member', 'ada');
    const other = await store.people.addWorkspace('Other', now);
    await store.people.setRole(other, ada.id, 'viewer', now);
    access.rights.apply({ kind: 'member', workspace: other, person: ada.id, role: 'viewer' });
    const { key } = await access.keys.create(ada.by, { name: 'Bot', grants: ['watch'], sessions: 'workspace' });
    await access.removal.remove(owner.by, ada.id);
    const after = await access.authentication.requirePrincipal({
      headers: { host: HOST, cookie: ada.cookie },
      address,
    });

    expect([after.workspace, after.rights.workspace]).toEqual([other, new Set(['watch'])]);
    expect(ada.by.rights.workspace.size).toBe(0);
    expect(await store.apiKeys.get(workspace, key.id, now)).toBeUndefined();
    expect(await store.people.find(ada.id)).toMatchObject({ workspace: other, email: 'ada@example.com' });
  });

  it('[AU2] has no second factor any more, whose codes are gone', async () => {
    const { store, access, owner, member } = await fixture();
    const ada = await member('member', 'ada');
    const { database } = store.accounts;
    await database.updateTable('auth_user').set({ twoFactorEnabled: 1 }).where('id', '=', ada.id).execute();
    expect((await store.accounts.factorsOf(ada.id)).code).toBe(true);
    await access.removal.remove(owner.by, ada.id);
    expect((await store.accounts.factorsOf(ada.id)).code).toBe(false);
  });

  it('[AU2][T9] leaves nothing behind by a call that was under way', async () => {
    const { access, owner, member } = await fixture();
    const ada = await member('admin', 'ada');
    const bob = await member('viewer', 'bob');
    await access.removal.remove(owner.by, ada.id);

    expect([
      await codeOf(access.invitations.create(ada.by, { role: 'member' })),
      await codeOf(access.keys.create(ada.by, { name: 'Bot', grants: ['watch'], sessions: 'workspace' })),
      await codeOf(access.removal.remove(ada.by, bob.id)),
    ]).toEqual(['UNAUTHENTICATED', 'FORBIDDEN', 'UNAUTHENTICATED']);
  });
});

describe('who may remove whom', () => {
  it('[AU2] the last owner cannot leave, the owner of the server not at all, and admins remove no owner', async () => {
    const { store, access, workspace, owner, member, now } = await fixture();
    const [second, admin, other] = [await member('owner', 'second'), await member('admin'), await member('member')];
    const outsider = await store.people.add(
      { workspace: await store.people.addWorkspace('Other', now), name: 'Eve', role: 'owner' },
      now,
    );

    expect(await codeOf(access.removal.remove(second.by, owner.id))).toBe('CONFLICT');
    expect(await codeOf(store.people.setRole(workspace, owner.id, 'member', now))).toBe('CONFLICT');
    expect(await codeOf(access.removal.remove(admin.by, second.id))).toBe('FORBIDDEN');
    expect(await codeOf(access.removal.remove(owner.by, outsider.id))).toBe('NOT_FOUND');
    expect(await codeOf(access.removal.remove(admin.by, other.id))).toBe('done');
    expect(await codeOf(access.removal.remove(second.by, second.id))).toBe('done');
    expect(await codeOf(access.removal.remove(owner.by, owner.id))).toBe('CONFLICT');
    expect((await store.people.members(workspace)).map(({ name }) => name)).toEqual(['Owner', 'admin']);
  });
});

describe('sign-ins', () => {
  it('[AU2] are listed to their person, ended one by one, and all but the own at once with unused links', async () => {
    const { store, access, workspace, owner, member, signIn, now } = await fixture();
    const ada = await member('member', 'ada');
    const [second, third] = [await signIn(ada.id), await signIn(ada.id)];
    const link = hashToken(randomToken());
    await store.signIns.addToken({ workspace, person: ada.id, hash: link, expiresAt: LATER }, now);
    const listed = await access.signIns.list(ada.by);
    const foreign = await codeOf(access.signIns.end(owner.by, second.by.credential.id));
    await access.signIns.end(ada.by, second.by.credential.id);
    const [one, ...more] = [ada, second, third].map(({ by }) => access.isLive(by));
    const ended = await access.signIns.endOthers(ada.by);

    expect(listed.map(({ id, here }) => [id, here])).toEqual(
      expect.arrayContaining([
        [ada.by.credential.id, true],
        [second.by.credential.id, false],
        [third.by.credential.id, false],
      ]),
    );
    expect(listed.every(({ lastUsedAt, address: from }) => lastUsedAt !== null && from === address)).toBe(true);
    expect(foreign).toBe('NOT_FOUND');
    expect([one, ...more]).toEqual([true, false, true]);
    expect([ended, access.isLive(ada.by), access.isLive(third.by), access.isLive(owner.by)]).toEqual([
      ...[1, true, false, true],
    ]);
    expect(await store.signIns.canRedeem(link, now)).toBe(false);
    expect((await store.log.list(workspace, { limit: 10 })).map(({ text }) => text)).toEqual([
      ...['ended one of their other sign-ins', 'ended all of their other sign-ins'],
    ]);
  });
});
