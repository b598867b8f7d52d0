import { describe, expect, it } from 'vitest';
import { grantSet, type Rights } from '@/lib/rights/grants';
import { IN_OPEN_SESSION, IN_SESSION, IN_WORKSPACE, type Role } from '@/lib/rights/roles';
import { tempSession, tempStore } from '@/server/testing/temp-store';
import { LiveRights, type RightsChange } from './live-rights';

const now = new Date('2026-01-01T00:00:00Z');
const KEY = { id: 'k_1', grants: ['watch', 'drive', 'manage'], scope: 'workspace', sessions: [] } as const;

/** An owner with a session, and a person of this role beside them. */
async function house(role: Role) {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const owner = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, now);
  const { id: person } = await store.people.add({ workspace, name: 'Ada', role }, now);
  const rights = await LiveRights.load(store, owner.id);
  const lower = (to: Role | undefined): void => rights.apply({ kind: 'member', workspace, person, role: to });
  return { store, workspace, session, owner, person, rights, lower };
}

const grantsOf = ({ workspace, sessions, named }: Rights): (readonly string[] | undefined)[] =>
  [workspace, sessions, ...named.values()].map((grants) => grants && [...grants].toSorted());
const sorted = (...sets: (ReadonlySet<string> | undefined)[]) => sets.map((grants) => grants && [...grants].toSorted());

describe('live rights', () => {
  it('[AU3] a right that is taken away is gone at the next question', async () => {
    const { workspace, person, rights, lower } = await house('member');
    const held = rights.ofPerson(workspace, person);
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
    const held = rights.ofPerson(workspace, person);
    const own = rights.ofKey(workspace, person, { ...KEY, scope: 'own' });
    const access = await store.access.change(workspace, session, { open: 'named', roles: { [person]: 'peer' } }, now);
    if (!access) throw new Error('The session is not there.');
    rights.apply({ kind: 'session', access });
    const named = held.named.get(session);
    const again = await LiveRights.load(store, owner.id);
    rights.apply({ kind: 'session', access: { ...access, roles: new Map() } });

    expect(named).toEqual(IN_SESSION.peer);
    expect(again.ofPerson(workspace, person).named.get(session)).toEqual(IN_SESSION.peer);
    expect([held.named.get(session)?.size, own.named.get(session)?.size, own.sessions]).toEqual([0, 0, undefined]);
    rights.apply({ kind: 'session-ended', session });
    expect([held.named.size, rights.access(session)]).toEqual([0, undefined]);
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
});
