import { describe, expect, it } from 'vitest';
import type { Factor } from '@/lib/people/factors';
import { grantSet, type Rights } from '@/lib/rights/grants';
import { IN_OPEN_SESSION, IN_SESSION, IN_WORKSPACE, type Role } from '@/lib/rights/roles';
import { tempSession, tempStore } from '@/server/testing/temp-store';
import { concerns, LiveRights, type RightsChange } from './live-rights';

const now = new Date('2026-01-01T00:00:00Z');
const KEY = { id: 'k_1', grants: ['watch', 'drive', 'manage'], scope: 'workspace', sessions: [] } as const;

/** An owner with a session, and a person of this role beside them. */
async function house(role: Role) {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const owner = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, now);
  const { id: person } = await store.people.add({ workspace, name: 'Ada', role }, now);
  const rights = await LiveRights.load(store, owner.id, now);
  const lower = (to: Role | undefined): void => rights.apply({ kind: 'member', workspace, person, role: to });
  return { store, workspace, session, owner, person, rights, lower };
}

const grantsOf = ({ workspace, sessions, named }: Rights): (readonly string[] | undefined)[] =>
  [workspace, sessions, ...named.values()].map((grants) => grants && [...grants].toSorted());
const sorted = (...sets: (ReadonlySet<string> | undefined)[]) => sets.map((grants) => grants && [...grants].toSorted());

describe('live rights', () => {
  it('[AU3] a right that is taken away is gone at the next question', async () => {
    const { workspace, person, rights, lower } = await house('member');
    const held = rights.ofPerson(workspace, person, 'l_any');
    const before = grantsOf(held);
    lower('viewer');
    const lowered = grantsOf(held);
    lower(undefined);
    const removed = grantsOf(held);
    lower('admin');

    const { member, viewer, admin } = IN_OPEN_SESSION;
    expect(before).toEqual(sorted(IN_WORKSPACE.member, member, member));
    expect(lowered).toEqual(sorted(IN_WORKSPACE.viewer, viewer, viewer));
    expect(removed).toEqual([[], undefined]);
    expect(grantsOf(held)).toEqual(sorted(IN_WORKSPACE.admin, admin, admin));
  });

  it('[AU2] a key loses what its person loses, and never has more', async () => {
    const { workspace, person, owner, rights, lower } = await house('member');
    const held = rights.ofKey(workspace, person, KEY);
    const before = grantsOf(held);
    lower('viewer');
    const lowered = grantsOf(held);
    lower(undefined);

    const [drives, watches] = [grantSet(['watch', 'drive']), grantSet(['watch'])];
    expect(before).toEqual(sorted(grantSet([...drives, 'keys']), drives, drives));
    expect(lowered).toEqual(sorted(watches, watches, watches));
    expect(grantsOf(held)).toEqual([[], undefined]);
    expect([held.server, rights.ofKey(workspace, owner.id, KEY).server]).toEqual([false, true]);
  });

  it('[AU3] the access of a session holds from its change on, also after a restart, and ends with the session', async () => {
    const { store, workspace, session, person, owner, rights } = await house('member');
    const held = rights.ofPerson(workspace, person, 'l_any');
    const own = rights.ofKey(workspace, person, { ...KEY, scope: 'own' });
    const access = await store.access.change(workspace, session, { open: 'named', roles: { [person]: 'peer' } }, now);
    if (!access) throw new Error('The session is not there.');
    rights.apply({ kind: 'session', access });
    const named = held.named.get(session);
    const again = await LiveRights.load(store, owner.id, now);
    rights.apply({ kind: 'session', access: { ...access, roles: new Map() } });

    expect(named).toEqual(IN_SESSION.peer);
    expect(again.ofPerson(workspace, person, 'l_any').named.get(session)).toEqual(IN_SESSION.peer);
    expect([held.named.get(session)?.size, own.named.get(session)?.size, own.sessions]).toEqual([0, 0, undefined]);
    rights.apply({ kind: 'session-ended', session });
    expect([held.named.size, rights.access(session)]).toEqual([0, undefined]);
  });

  it('[AU2] a workspace that requires a second factor withholds all rights of a sign-in without one, also after a restart', async () => {
    const { store, workspace, person, owner, rights } = await house('admin');
    const facts = { workspace, expiresAt: new Date(now.getTime() + 1_000) };
    const signIn = (hash: string, who: string, factor: Factor) =>
      store.signIns.add({ ...facts, person: who, hash, factor }, now);
    const [weak, passkey] = [await signIn('1', person, 'password'), await signIn('2', person, 'passkey')];
    const [foreign, link] = [await signIn('3', person, 'link'), await signIn('4', owner.id, 'link')];
    for (const signIn of [weak, passkey, foreign, link]) rights.signedIn(signIn);
    const held = [weak, passkey, foreign, link].map((signIn) => rights.ofPerson(workspace, signIn.person, signIn.id));
    const withheld = (all = held) =>
      all.map((one) => [one.withheld, one.workspace.size > 0, one.sessions !== undefined]);
    rights.apply({ kind: 'workspace', workspace, secondFactor: true });
    const [none, has] = [
      ['SECOND_FACTOR_NEEDED', false, false],
      [undefined, true, true],
    ];

    expect(withheld()).toEqual([none, has, none, has]);
    expect(grantsOf(rights.ofKey(workspace, person, KEY))[0]).toContain('manage');
    await store.people.changeWorkspace(workspace, { policy: { secondFactor: true } });
    const again = await LiveRights.load(store, owner.id, now);
    expect(withheld([weak, passkey].map(({ id }) => again.ofPerson(workspace, person, id)))).toEqual([none, has]);
    rights.apply({ kind: 'sign-in', signIn: weak.id, person, counts: true });
    expect(withheld()).toEqual([has, has, none, has]);
  });

  it('[AU3] listeners hear of a change when it holds', async () => {
    const { workspace, person, rights, lower } = await house('member');
    const heard: [RightsChange, string | undefined][] = [];
    const off = rights.onChange((change) => heard.push([change, rights.roleOf(workspace, person)]));
    lower('viewer');
    off();
    lower('member');

    expect(heard).toEqual([[{ kind: 'member', workspace, person, role: 'viewer' }, 'viewer']]);
  });

  it('[AU3] a listener that throws keeps no other one from hearing of a change', async () => {
    const faults: unknown[] = [];
    const heard: RightsChange[] = [];
    const { store, workspace, owner, person } = await house('member');
    const rights = await LiveRights.load(store, owner.id, now, (error) => faults.push(error));
    const broken = new Error('broken');
    rights.onChange(() => {
      throw broken;
    });
    rights.onChange((change) => heard.push(change));
    const change: RightsChange = { kind: 'member', workspace, person, role: 'viewer' };
    rights.apply(change);

    expect([heard, faults]).toEqual([[change], [broken]]);
  });

  it('[BU1] nothing is kept of ended sign-ins and workspaces', async () => {
    const { store, workspace, person, rights, owner } = await house('member');
    const before = rights.remembered;
    const facts = { workspace, person, factor: 'passkey' } as const;
    const add = (hash: string, lifeMs: number) =>
      store.signIns.add({ ...facts, hash, expiresAt: new Date(now.getTime() + lifeMs) }, now);
    const [ended, expired, kept] = [await add('1', 9_000), await add('2', 1_000), await add('3', 9_000)];
    for (const signIn of [ended, expired, kept]) rights.signedIn(signIn);
    rights.signInEnded(ended.id);
    await rights.prune(store, new Date(now.getTime() + 2_000));
    expect([ended, expired, kept].map(({ id }) => rights.counts(id))).toEqual([false, false, true]);

    rights.signInEnded(kept.id);
    const other = await store.people.addWorkspace('Other', now);
    rights.apply({ kind: 'member', workspace: other, person: owner.id, role: 'owner' });
    rights.apply({ kind: 'workspace', workspace: other, secondFactor: true });
    rights.apply({ kind: 'member', workspace: other, person: owner.id, role: undefined });
    rights.workspaceEnded(other);
    expect(rights.remembered).toBe(before);
  });

  it('[AU3] a change concerns those whose rights it can touch', () => {
    const who = { workspace: 'w_1', credential: { kind: 'cookie', id: 'l_1' } } as const;
    const signIn = (id: string): RightsChange => ({ kind: 'sign-in', signIn: id, person: 'p_1', counts: true });
    const strict = (workspace: string): RightsChange => ({ kind: 'workspace', workspace, secondFactor: true });

    expect([signIn('l_1'), strict('w_1')].map((one) => concerns(one, who))).toEqual([true, true]);
    expect([signIn('l_2'), strict('w_2')].map((one) => concerns(one, who))).toEqual([false, false]);
  });
});
