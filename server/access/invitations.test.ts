import { describe, expect, it } from 'vitest';
import { everywhere, GRANTS, KEY_GRANTS } from '@/lib/rights/grants';
import type { Role } from '@/lib/rights/roles';
import { emailSchema } from '@/server/doors/http/fields';
import { tempStore } from '@/server/testing/temp-store';
import { createAccess } from './access';
import type { KeyRequest } from './keys';
import { CAPS } from './limits';
import { memberOf, type Asker } from './principal';

const DAY_MS = 86_400_000;

/** A server with its owner, and a way to make others; the clock moves by hand. */
async function house() {
  const clock = { time: Date.parse('2026-01-01T00:00:00Z') };
  const now = (): Date => new Date(clock.time);
  const store = await tempStore({ now });
  const access = await createAccess({
    store,
    now,
    config: { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined },
  });
  access.listening(7400);
  const { workspace, id: owner } = access.owner;
  const inviter = (person: string): Asker => ({
    ...{ id: person, name: 'Owner', kind: 'human', person, workspace },
    ...{ rights: everywhere(GRANTS), expiresAt: undefined },
  });
  /** A key of the owner, and who comes with it. */
  const key = async ({ grants = KEY_GRANTS, sessions = 'workspace', expiresIn }: Partial<KeyRequest> = {}) => {
    const made = await access.keys.create(inviter(owner), { name: 'Bot', grants, sessions, expiresIn });
    const headers = { host: '127.0.0.1:7400', authorization: `Bearer ${made.text}` };
    return {
      ...made.key,
      by: memberOf(await access.authentication.requirePrincipal({ headers, address: '127.0.0.1' })),
    };
  };
  const member = async (role: Role) => inviter((await store.people.add({ workspace, name: role, role }, now())).id);
  const tokenOf = (url: string): string => new URL(url).hash.slice(1);
  const invited = async (wanted: { role: Role; email?: string; lifeMs?: number }): Promise<string> =>
    tokenOf((await access.invitations.create(inviter(owner), wanted)).url);
  return {
    ...{ clock, now, store, workspace, owner, inviter, member, key, tokenOf, invited, keys: access.keys },
    invitations: access.invitations,
    rights: access.rights,
  };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

const ADA = { name: 'Ada', email: 'ada@example.com' };

describe('invitations', () => {
  it('[AU2] the link says what it offers, and makes an account with that role, once', async () => {
    const { invitations, inviter, owner, store, rights, workspace, tokenOf } = await house();
    const { invitation, url } = await invitations.create(inviter(owner), { role: 'member' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:7400\/invitation#[A-Za-z0-9_-]{43}$/);
    expect(await invitations.open(tokenOf(url))).toEqual({
      ...{ role: 'member', workspace: 'Home', workspaceId: workspace, email: undefined },
      expiresAt: '2026-01-08T00:00:00.000Z',
    });
    const person = await invitations.addNewcomer(tokenOf(url), ADA);
    expect(await store.people.get(workspace, person.id)).toMatchObject({ ...ADA, role: 'member', serverOwner: false });
    expect(rights.roleOf(workspace, person.id)).toBe('member');
    expect(await invitations.list(workspace)).toEqual([]);
    const again = { name: 'Eve', email: 'eve@example.com' };
    expect(await codeOf(invitations.addNewcomer(tokenOf(url), again))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.open(tokenOf(url)))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.change(inviter(owner), invitation.id, { role: 'viewer' }))).toBe('NOT_FOUND');
    expect(await store.people.byEmail('eve@example.com')).toBeUndefined();
  });

  it('[AU2] of two who accept at the same moment one gets in, and of the other no account is left', async () => {
    const { invitations, invited, store, workspace } = await house();
    const token = await invited({ role: 'viewer' });
    const results = await Promise.all(
      [1, 2, 3].map((n) => codeOf(invitations.addNewcomer(token, { name: `No ${n}`, email: `n${n}@example.com` }))),
    );
    expect(results.toSorted()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'done']);
    expect(await store.people.members(workspace)).toHaveLength(2);
  });

  it('[AU2] an expired, an ended, an unknown and a malformed one are told alike', async () => {
    const { invitations, invited, inviter, owner, workspace, clock } = await house();
    const short = await invited({ role: 'viewer', lifeMs: DAY_MS });
    const ended = await invited({ role: 'viewer' });
    const [, { id } = { id: '' }] = await invitations.list(workspace);
    await invitations.revoke(inviter(owner), id);
    clock.time += DAY_MS;
    const tokens = [short, ended, 'A'.repeat(43), '', '\0', '<b>', 'x'.repeat(10_000)];
    const messages = await Promise.all(
      tokens.map((token) => invitations.addNewcomer(token, ADA).catch((error: Error) => error.message)),
    );
    expect(new Set(messages)).toEqual(new Set(['This invitation was used already, has ended, or does not exist.']));
  });

  it('[AU2] one for an address is for that address only, in any case of letters', async () => {
    const { invitations, invited, store } = await house();
    const token = await invited({ role: 'admin', email: 'Ada@Example.com' });
    expect(await codeOf(invitations.addNewcomer(token, { name: 'Eve', email: 'eve@example.com' }))).toBe('FORBIDDEN');
    const { id } = await invitations.addNewcomer(token, { name: 'Ada', email: 'ADA@example.com' });
    expect(await store.people.find(id)).toMatchObject({ email: 'ada@example.com' });
  });

  it('[AU2] an address that has an account gets no second one, and the invitation stays', async () => {
    const { invitations, invited, store } = await house();
    await invitations.addNewcomer(await invited({ role: 'viewer' }), ADA);
    const token = await invited({ role: 'member' });
    expect(await codeOf(invitations.addNewcomer(token, { ...ADA, name: 'Second' }))).toBe('CONFLICT');
    expect(await invitations.open(token)).toMatchObject({ role: 'member' });
    expect(await store.people.byEmail(ADA.email)).toMatchObject({ name: 'Ada' });
  });

  it('[AU2] who has an account joins another workspace by it, but not one of theirs', async () => {
    const { invitations, invited, store, inviter, now, tokenOf } = await house();
    const { id } = await invitations.addNewcomer(await invited({ role: 'viewer' }), ADA);
    const other = await store.people.addWorkspace('Other', now());
    const { id: boss } = await store.people.add({ workspace: other, name: 'Boss', role: 'owner' }, now());
    const { url } = await invitations.create({ ...inviter(boss), workspace: other }, { role: 'admin' });
    await invitations.addMember(tokenOf(url), id);
    expect(await store.people.get(other, id)).toMatchObject({ role: 'admin' });
    const own = await invited({ role: 'admin' });
    expect(await codeOf(invitations.addMember(own, id))).toBe('CONFLICT');
    expect(await invitations.open(own)).toMatchObject({ role: 'admin' });
  });

  it('[AU2] admins invite up to admins, owners everybody; members, viewers and keys beyond themselves nobody', async () => {
    const { invitations, inviter, member, owner, key } = await house();
    const may = async (by: Asker): Promise<string[]> => {
      const roles = ['viewer', 'admin', 'owner'] as const;
      return Promise.all(roles.map((role) => codeOf(invitations.create(by, { role }))));
    };
    expect(await may(inviter(owner))).toEqual(['done', 'done', 'done']);
    expect(await may((await key({ grants: KEY_GRANTS })).by)).toEqual(['done', 'done', 'FORBIDDEN']);
    expect(await may((await key({ grants: ['watch', 'manage'] })).by)).toEqual(['done', 'FORBIDDEN', 'FORBIDDEN']);
    expect(await may(await member('admin'))).toEqual(['done', 'done', 'FORBIDDEN']);
    for (const role of ['member', 'viewer'] as const)
      expect(await may(await member(role))).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  it('[AU2] an admin neither ends an invitation of an owner nor makes one of it; two admins edit one after the other', async () => {
    const { invitations, invited, inviter, member, owner, workspace } = await house();
    await invited({ role: 'owner' });
    await invited({ role: 'viewer' });
    const [forOwner = '', forViewer = ''] = (await invitations.list(workspace)).map(({ id }) => id);
    const admin = await member('admin');
    expect(await codeOf(invitations.revoke(admin, forOwner))).toBe('FORBIDDEN');
    expect(await codeOf(invitations.change(admin, forViewer, { role: 'owner' }))).toBe('FORBIDDEN');
    await Promise.all([
      invitations.change(admin, forViewer, { role: 'member' }),
      invitations.change(inviter(owner), forViewer, { lifeMs: DAY_MS }),
    ]);
    expect((await invitations.list(workspace))[1]).toMatchObject({
      ...{ role: 'member', expiresAt: '2026-01-02T00:00:00.000Z' },
    });
  });

  it('[AU2] an invitation works only while its maker may still give its role', async () => {
    const { invitations, invited, member, owner, store, workspace, now, tokenOf } = await house();
    const admin = await member('admin');
    const made = async (by: Asker, role: Role) => tokenOf((await invitations.create(by, { role })).url);
    const token = await made(admin, 'admin');
    await store.people.setRole(workspace, admin.person, 'viewer', now());
    expect(await codeOf(invitations.open(token))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.addMember(token, admin.person))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.addNewcomer(token, ADA))).toBe('NOT_FOUND');
    expect(await store.people.byEmail(ADA.email)).toBeUndefined();
    const second = await member('owner');
    const [forOwner, forMember] = [await made(second, 'owner'), await made(second, 'member')];
    await store.people.setRole(workspace, second.person, 'admin', now());
    expect(await codeOf(invitations.addNewcomer(forOwner, ADA))).toBe('NOT_FOUND');
    expect((await invitations.addNewcomer(forMember, ADA)).name).toBe('Ada');
    expect(await codeOf(invitations.open(await invited({ role: 'owner' })))).toBe('done');
    expect(await store.people.get(workspace, owner)).toMatchObject({ role: 'owner' });
  });

  it('[AU2] a key invites only if it sees all sessions and does not expire; its invitations end with it', async () => {
    const { invitations, inviter, owner, key, keys, clock, tokenOf, workspace } = await house();
    const role = 'member';
    for (const narrow of [{ sessions: 'own' }, { sessions: [] }, { expiresIn: 3_600 }] as const)
      expect(await codeOf(invitations.create((await key(narrow)).by, { role }))).toBe('FORBIDDEN');
    const [{ id: forViewer }] = [(await invitations.create(inviter(owner), { role: 'viewer' })).invitation];
    expect(await codeOf(invitations.change((await key({ sessions: 'own' })).by, forViewer, { role }))).toBe(
      'FORBIDDEN',
    );
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => keys.revoke(inviter(owner), id),
      (id) => keys.rotate(inviter(owner), id),
      (id) => keys.change(inviter(owner), id, { sessions: 'own' }),
      (id) => keys.change(inviter(owner), id, { grants: ['watch', 'manage'] }),
      (id) => keys.change(inviter(owner), id, { expiresIn: 60 }),
    ];
    for (const end of ends) {
      const { id, by } = await key();
      const token = tokenOf((await invitations.create(by, { role })).url);
      expect((await invitations.open(token)).role).toBe(role);
      clock.time += 1_000;
      await end(id);
      expect(await codeOf(invitations.open(token))).toBe('NOT_FOUND');
      expect(await codeOf(invitations.addNewcomer(token, ADA))).toBe('NOT_FOUND');
      expect(await codeOf(invitations.addMember(token, owner))).toBe('NOT_FOUND');
    }
    expect((await invitations.list(workspace)).map(({ id }) => id)).toEqual([forViewer]);
  });

  it('[AU2] those of another workspace do not exist', async () => {
    const { invitations, invited, inviter, store, now, workspace } = await house();
    await invited({ role: 'viewer' });
    const [{ id } = { id: '' }] = await invitations.list(workspace);
    const other = await store.people.addWorkspace('Other', now());
    const { id: boss } = await store.people.add({ workspace: other, name: 'Boss', role: 'owner' }, now());
    const foreign = { ...inviter(boss), workspace: other };
    expect(await codeOf(invitations.revoke(foreign, id))).toBe('NOT_FOUND');
    expect(await codeOf(invitations.change(foreign, id, {}))).toBe('NOT_FOUND');
    expect(await invitations.list(other)).toEqual([]);
  });

  it('[BR7] a workspace has so many open invitations and no more', async () => {
    const { invitations, invited, inviter, owner } = await house();
    for (let n = 0; n < CAPS.invitationsPerWorkspace; n += 1) await invited({ role: 'viewer' });
    expect(await codeOf(invitations.create(inviter(owner), { role: 'viewer' }))).toBe('QUOTA');
  });

  it('[AU2] an address is plain: no markup, no hidden letters, no length without end', () => {
    const wrong = [
      '<b>@example.com',
      'a\u202Eb@example.com',
      'a@b',
      '',
      `${'x'.repeat(10_000)}@example.com`,
      'a b@example.com',
    ];
    expect(wrong.filter((text) => emailSchema.safeParse(text).success)).toEqual([]);
    expect(emailSchema.parse('Ada.Lovelace+wheel@Example.COM')).toBe('ada.lovelace+wheel@example.com');
  });
});

describe('the log of the workspace', () => {
  it('[AU2][TL1] has a row of each invitation that was made, changed, ended and used, in the same commit', async () => {
    const { invitations, inviter, owner, store, workspace, tokenOf } = await house();
    const by = inviter(owner);
    const { invitation, url } = await invitations.create(by, { role: 'viewer', email: 'ada@example.com' });
    await invitations.change(by, invitation.id, { role: 'member' });
    const ada = await invitations.addNewcomer(tokenOf(url), { ...ADA, name: 'Ada\u202e', address: '203.0.113.7' });
    const second = await invitations.create(by, { role: 'admin' });
    await invitations.revoke(by, second.invitation.id);
    await codeOf(invitations.revoke(by, second.invitation.id));

    const rows = await store.log.list(workspace, { limit: 10 });
    expect(rows.map(({ actor, text, about }) => `${actor.name} ${text} | ${about?.name}`)).toEqual([
      'Owner invited ada@example.com with the role viewer | ada@example.com',
      'Owner changed an invitation, which has the role member now | ada@example.com',
      'Ada joined with the role member (invitation) | ada@example.com',
      'Owner made an invitation with the role admin | ',
      'Owner ended an invitation with the role admin | ',
    ]);
    expect(rows[2]).toMatchObject({ actor: { id: ada.id, kind: 'human' }, about: { id: invitation.id } });
    expect(rows[2]).toMatchObject({ address: '203.0.113.7', kind: 'member', door: 'ui', outcome: 'ok' });
    expect(await store.log.broken(workspace)).toBeUndefined();
  });
});
