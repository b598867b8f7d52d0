import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { SYSTEM_ACTOR } from '@/lib/protocol/views';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { openStore, type Store } from './store';

const AT = new Date('2026-11-23T08:00:00.000Z');
const LATER = new Date('2026-11-23T09:00:00.000Z');
const MUCH_LATER = new Date('2027-11-23T08:00:00.000Z');
const FILE = 'wheelhouse.sqlite';

async function home(): Promise<{ store: Store; workspace: string; owner: string }> {
  const store = await tempStore({ now: () => AT });
  const { workspace, id } = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, AT);
  return { store, workspace, owner: id };
}

const ADA = { name: 'Ada', email: 'Ada@Example.com', role: 'member' } as const;

describe('people', () => {
  it('[AU2] are members of workspaces, with a role in each', async () => {
    const { store, workspace, owner } = await home();
    const ada = await store.people.add({ workspace, ...ADA }, LATER);
    const second = await store.people.addWorkspace('Second', AT);
    await store.people.setRole(second, ada.id, 'owner', MUCH_LATER);
    await store.people.setRole(workspace, ada.id, 'admin', MUCH_LATER);

    expect(await store.people.members(workspace)).toMatchObject([
      { id: owner, role: 'owner', email: undefined, serverOwner: true },
      { id: ada.id, role: 'admin', email: 'ada@example.com', serverOwner: false, since: LATER.toISOString() },
    ]);
    expect(await store.people.get(second, ada.id)).toMatchObject({ workspace, role: 'owner' });
    expect(await store.people.get(second, owner)).toBeUndefined();
    expect(await store.people.memberships()).toHaveLength(3);
  });

  it('[GU1] a stored policy of their workspace that cannot be read closes it, and ends nothing', async () => {
    const { store, workspace } = await home();
    const { database } = store.accounts;
    for (const policy_json of ['{', '{"egress":{"kind":"of a later version"}}']) {
      await database.updateTable('workspaces').set({ policy_json }).execute();
      const found = await store.people.workspace(workspace);
      expect(found?.policy.egress).toEqual({ kind: 'listed', sites: [] });
      expect(found?.unreadable).toHaveLength(1);
    }
  });

  it('[AU2] have an address of their own, however it is written', async () => {
    const { store, workspace, owner } = await home();
    const ada = await store.people.add({ workspace, ...ADA }, LATER);
    const taken = { code: 'CONFLICT', message: expect.stringContaining('another account') };

    await expect(
      store.change(({ people }) => people.add({ workspace, ...ADA, email: 'ADA@example.com' }, AT)),
    ).rejects.toMatchObject(taken);
    await expect(store.people.setEmail(owner, 'ada@EXAMPLE.com', AT)).rejects.toMatchObject(taken);
    await store.people.setEmail(owner, 'Me@example.com', AT);
    expect(await store.people.byEmail('me@Example.com')).toMatchObject({ id: owner, email: 'me@example.com' });
    expect((await store.people.members(workspace)).map(({ id }) => id)).toEqual([owner, ada.id]);
  });

  it('[AU2] the last owner cannot leave a workspace, nor become less', async () => {
    const { store, workspace: first, owner } = await home();
    const workspace = await store.people.addWorkspace('Other', AT);
    const ada = await store.people.add({ workspace, ...ADA, role: 'owner' }, AT);
    await store.people.setRole(workspace, owner, 'owner', AT);
    await store.people.setRole(workspace, owner, undefined, AT);
    const last = { code: 'CONFLICT', message: expect.stringContaining('last') };

    await expect(store.people.setRole(workspace, ada.id, 'admin', AT)).rejects.toMatchObject(last);
    await expect(store.people.setRole(workspace, ada.id, undefined, AT)).rejects.toMatchObject(last);
    await expect(store.people.setRole(first, owner, 'admin', AT)).rejects.toMatchObject(last);
    expect(await store.people.get(workspace, ada.id)).toMatchObject({ role: 'owner' });
    expect(await store.people.find(owner)).toMatchObject({ id: owner });
  });

  it('[AU2] a change of several things about people is stored whole or not at all', async () => {
    const { store, workspace } = await home();
    const failing = store.change(async ({ people }) => {
      await people.add({ workspace, ...ADA }, AT);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await store.people.byEmail(ADA.email)).toBeUndefined();
  });
});

describe('sign-ins', () => {
  it('[AU2] are listed with what was proved and from where, and end one by one or all but one', async () => {
    const { store, workspace, owner } = await home();
    const login = (hash: string) => ({ workspace, person: owner, hash, expiresAt: MUCH_LATER });
    const one = await store.signIns.add(
      { ...login('1'), factor: 'password', address: '10.0.0.1', agent: 'Firefox' },
      AT,
    );
    const two = await store.signIns.add({ ...login('2'), factor: 'passkey' }, LATER);
    const three = await store.signIns.add({ ...login('3'), factor: 'link' }, LATER);
    await store.signIns.touch(one.id, '10.0.0.2', LATER);
    await store.signIns.revoke(owner, three.id, LATER);
    const listed = await store.signIns.list(owner, LATER);

    expect(listed).toMatchObject([
      { id: two.id, factor: 'passkey', address: null, agent: null, lastUsedAt: null },
      { id: one.id, factor: 'password', address: '10.0.0.2', agent: 'Firefox', lastUsedAt: LATER.toISOString() },
    ]);
    expect(await store.signIns.revokeAll(owner, { but: two.id }, LATER)).toEqual([one.id]);
    expect(await store.signIns.find('1', LATER)).toBeUndefined();
    expect(await store.signIns.find('2', LATER)).toMatchObject({ id: two.id });
  });

  it('[AU2] a token of one purpose is no token of another, and works once', async () => {
    const { store, workspace, owner } = await home();
    const token = { workspace, person: owner, expiresAt: MUCH_LATER };
    await store.signIns.addToken({ ...token, hash: 'new', purpose: 'password' }, AT);

    expect(await store.signIns.canRedeem('new', AT)).toBe(false);
    expect(await store.signIns.redeemToken('new', 'sign-in', AT)).toBeUndefined();
    expect(await store.signIns.redeemToken('new', 'password', AT)).toEqual({ workspace, person: owner });
    expect(await store.signIns.redeemToken('new', 'password', AT)).toBeUndefined();
  });

  it('[AU2] a one-time code is used up once, also by two at the same moment', async () => {
    const { store, owner } = await home();
    const use = (digest: string, now = AT) => store.accounts.useCode(owner, digest, LATER, now);

    expect((await Promise.all([use('a'), use('a')])).toSorted()).toEqual([false, true]);
    expect([await use('b'), await use('a', MUCH_LATER)]).toEqual([true, true]);
  });

  it('[T15] a browser is known for the person who signed in with it', async () => {
    const { store, workspace, owner } = await home();
    const ada = await store.people.add({ workspace, ...ADA }, AT);
    await store.signIns.knowBrowser('hash', owner, AT);

    expect(await store.signIns.isKnownBrowser('hash', owner)).toBe(true);
    expect(await store.signIns.isKnownBrowser('hash', ada.id)).toBe(false);
  });
});

describe('keys', () => {
  it('[AU2] have a scope and an end, get a new text, and end with their person', async () => {
    const { store, workspace, owner } = await home();
    const key = { person: owner, name: 'Bot', hash: 'one', hint: 'abcd', grants: ['watch'] };
    const made = await store.apiKeys.add(
      workspace,
      { ...key, scope: 'named', sessions: ['s_1'], expiresAt: LATER },
      20,
      AT,
    );
    const id = made?.id ?? '';
    await store.apiKeys.touch(workspace, id, AT, '10.0.0.1');
    await store.apiKeys.rotate(workspace, id, { hash: 'two', hint: 'efgh' }, AT);

    expect(await store.apiKeys.find('one', AT)).toBeUndefined();
    expect(await store.apiKeys.find('two', AT)).toMatchObject({
      ...{ id, hint: 'efgh', scope: 'named', sessions: ['s_1'], lastUsedFrom: '10.0.0.1' },
      ...{ rotatedAt: AT.toISOString(), expiresAt: LATER.toISOString() },
    });
    expect(await store.apiKeys.find('two', MUCH_LATER)).toBeUndefined();
    const kept = await store.apiKeys.change(workspace, id, { scope: 'own', sessions: [], expiresAt: null }, AT);
    expect(kept).toMatchObject({ name: 'Bot', scope: 'own', expiresAt: null });
    expect(await store.apiKeys.revokeOf(workspace, owner, MUCH_LATER)).toEqual([id]);
    expect(await store.apiKeys.all(MUCH_LATER)).toEqual([]);
  });
});

describe('invitations', () => {
  it('[AU2] are used once, by one of two at the same moment, and not after their end', async () => {
    const { store, workspace, owner } = await home();
    const made = { workspace, role: 'member', by: owner, expiresAt: LATER } as const;
    const one = await store.invitations.add({ ...made, hash: 'one', email: 'Ada@example.com' }, AT);
    const two = await store.invitations.add({ ...made, hash: 'two' }, AT);
    const three = await store.invitations.add({ ...made, hash: 'three' }, AT);
    await store.invitations.revoke(workspace, three.id, AT);

    expect((await store.invitations.list(workspace, AT)).map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(await store.invitations.find('one', AT)).toMatchObject({ email: 'ada@example.com', role: 'member' });
    const used = await Promise.all([1, 2].map(() => store.invitations.use('one', owner, AT)));
    expect(used.filter((invitation) => invitation !== undefined)).toHaveLength(1);
    const late = await store.invitations.change(workspace, two.id, { role: 'viewer', expiresAt: MUCH_LATER }, AT);
    expect(late).toMatchObject({ role: 'viewer', expiresAt: MUCH_LATER.toISOString() });
    expect(await store.invitations.find('two', new Date(MUCH_LATER.getTime() + 1))).toBeUndefined();
    expect(await store.invitations.revokeOf(workspace, owner, AT)).toEqual([two.id]);
  });
});

describe('access to sessions', () => {
  it('[AU3] is kept with the session, changes field by field, and passes on with its owner', async () => {
    const { store, workspace, owner } = await home();
    const { session } = await tempSession(store);
    const ada = await store.people.add({ workspace, ...ADA }, AT);
    const all = await store.access.open();
    await store.access.change(workspace, session, { owner: ada.id, watchOnly: true }, AT);
    const changed = await store.access.change(
      workspace,
      session,
      { open: 'named', roles: { [ada.id]: 'peer', k_1: 'observer' } },
      AT,
    );
    await store.access.change(workspace, session, { roles: { k_1: null } }, AT);

    expect(all).toMatchObject([{ session, open: 'workspace', watchOnly: false, roles: new Map() }]);
    expect(changed).toMatchObject({ open: 'named', watchOnly: true, owner: ada.id });
    expect(changed?.roles).toEqual(
      new Map([
        [ada.id, 'peer'],
        ['k_1', 'observer'],
      ]),
    );
    expect(await store.access.passOn(workspace, ada.id, owner)).toMatchObject([{ session, owner, roles: new Map() }]);
    expect(await store.access.change('w_other', session, { watchOnly: false }, AT)).toBeUndefined();
  });
});

describe('the log of a workspace', () => {
  const row = (store: Store, workspace: string, id: string) =>
    store.change(({ log }) =>
      log.append(workspace, {
        ...{ kind: 'key', actor: { id: 'p_1', name: 'Ada', kind: 'human' }, door: 'ui' },
        ...{ said: { code: 'noSession', id } },
      }),
    );

  it('[TL1] is one chain, and a change from outside shows', async () => {
    const dataDir = tempDir();
    const first = await openStore({ dataDir, logger: quietLogger, now: () => AT });
    const { workspace } = await first.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, AT);
    for (const id of ['1', '2', '3']) await row(first, workspace, id);
    const whole = await first.log.broken(workspace);
    await first.close();
    const file = new Sqlite(join(dataDir, FILE));
    file.prepare(`UPDATE workspace_log SET payload = replace(payload, '"2"', '"4"') WHERE seq = 2`).run();
    file.close();
    const store = await tempStore({ dataDir });

    expect([whole, await store.log.broken(workspace)]).toEqual([undefined, 2]);
    expect((await store.log.list(workspace, { since: 1, limit: 1 })).map(({ seq }) => seq)).toEqual([2]);
    expect((await store.log.list(workspace, { kind: 'key', limit: 2 })).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('[TL1] that was cut off from outside stays broken, whatever is written behind it', async () => {
    const dataDir = tempDir();
    const first = await openStore({ dataDir, logger: quietLogger, now: () => AT });
    const { workspace } = await first.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, AT);
    for (const id of ['1', '2', '3']) await row(first, workspace, id);
    await first.close();
    const file = new Sqlite(join(dataDir, FILE));
    file.exec(`DELETE FROM workspace_log WHERE seq = 3;
      UPDATE workspace_log_heads SET seq = 2, digest = (SELECT digest FROM workspace_log WHERE seq = 2)`);
    file.close();
    const store = await tempStore({ dataDir });
    const before = await store.log.broken(workspace);
    await row(store, workspace, '4');

    expect([before, await store.log.broken(workspace)]).toEqual([3, 3]);
  });

  it('[TL1][T21] a column that filters use cannot be changed alone, and the check at the start finds it', async () => {
    const dataDir = tempDir();
    const first = await openStore({ dataDir, logger: quietLogger, now: () => AT });
    const { workspace } = await first.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, AT);
    for (const id of ['1', '2']) await row(first, workspace, id);
    await first.close();
    const program = ['bin/wheelhouse-verify.mjs', '--data', dataDir];
    const verified = spawnSync(process.execPath, program, { encoding: 'utf8' });
    const file = new Sqlite(join(dataDir, FILE));
    file.exec(`UPDATE workspace_log SET kind = 'member' WHERE seq = 2`);
    file.close();
    const store = await tempStore({ dataDir });
    const checked = new Promise((resolve) => store.checkTimelines(monotonicClock, resolve));

    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining(`${workspace}: ok. 2 rows`)]);
    expect(await store.log.broken(workspace)).toBe(2);
    expect(await checked).toMatchObject({ state: 'broken', broken: [{ workspace, row: 2 }] });
  });

  it('[TL1] a long one is verified page by page', async () => {
    const store = await tempStore();
    const { workspace } = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, AT);
    const said = { code: 'noSession', id: '1' } as const;
    await store.change(async ({ log }) => {
      for (let n = 0; n < 1_000; n += 1)
        await log.append(workspace, { kind: 'key', actor: SYSTEM_ACTOR, door: 'server', said });
    });
    let turns = 0;
    expect(await store.log.broken(workspace, async () => void (turns += 1))).toBeUndefined();
    expect(turns).toBe(2);
  });
});
