import { describe, expect, it } from 'vitest';
import { everywhere, GRANTS, grantsIn, type Grant } from './grants';
import {
  rightsIn,
  rightsOf,
  type KeyFacts,
  type LinkFacts,
  type PersonFacts,
  type SessionAccess,
  type WhoFacts,
} from './rights';
import { mayAppoint, ROLES, SESSION_ROLES, type Role, type SessionRole } from './roles';

const CLIPBOARD = ['clipboard', 'clipboard:copy', 'clipboard:paste'] as const;
const PEER = ['watch', 'drive', 'files', ...CLIPBOARD] as const;
const MEMBER = ['watch', 'drive', 'evaluate', 'files', ...CLIPBOARD, 'share'] as const;
const MODERATOR = [...MEMBER, 'manage'] as const;

const person = (role: Role, id = 'p_me'): PersonFacts => ({ kind: 'person', id, role, server: false });
const session = (access: Partial<SessionAccess> = {}): SessionAccess => ({
  ...{ session: 's_1', workspace: 'w_1', owner: 'p_ada', key: undefined },
  ...{ open: 'workspace', watchOnly: false, roles: new Map(), ...access },
});
const key = (facts: Partial<KeyFacts> = {}): KeyFacts => ({
  ...{ kind: 'key', id: 'k_me', grants: ['watch', 'drive', 'evaluate'], scope: 'own', sessions: [] },
  ...{ owner: person('member'), ...facts },
});
const asked = (who: WhoFacts, access: Partial<SessionAccess> = {}): Grant[] => inOrder(rightsIn(who, session(access)));
const inOrder = (grants: Iterable<Grant>): Grant[] => {
  const all = new Set(grants);
  return GRANTS.filter((grant) => all.has(grant));
};

describe('the roles of a workspace', () => {
  it.each([
    ['viewer', ['watch']],
    ['member', [...MEMBER, 'keys']],
    ['admin', [...MODERATOR, 'keys']],
    ['owner', [...MODERATOR, 'keys', 'own']],
  ] as const)('[AU2] a %s may in the workspace what is written', (role, grants) => {
    expect(inOrder(rightsOf(person(role), []).workspace)).toEqual(inOrder(grants));
  });

  it.each([
    ['viewer', ['watch']],
    ['member', MEMBER],
    ['admin', MODERATOR],
    ['owner', MODERATOR],
  ] as const)('[AU2] a %s may in an open session what is written', (role, grants) => {
    expect(asked(person(role))).toEqual(inOrder(grants));
  });

  it('[AU2] only owners make, change and remove owners, and only admins and owners anybody', () => {
    const changes: readonly (readonly [Role | undefined, Role | undefined])[] = [
      [undefined, 'member'],
      ['member', 'admin'],
      ['admin', undefined],
      ['member', 'owner'],
      ['owner', 'member'],
      ['owner', undefined],
    ];
    const may = ROLES.map((by) => changes.map(([from, to]) => mayAppoint(by, from, to)));

    expect(may).toEqual([
      [false, false, false, false, false, false],
      [false, false, false, false, false, false],
      [true, true, true, false, false, false],
      [true, true, true, true, true, true],
    ]);
  });
});

describe('the roles of a session', () => {
  const as = (role: SessionRole) => ({ open: 'named', roles: new Map([['p_me', role]]) }) as const;

  it('[AU3] are observer, peer and moderator, with the grants that are written', () => {
    const written: readonly (readonly Grant[])[] = [['watch'], PEER, MODERATOR];
    expect(SESSION_ROLES.map((role) => asked(person('member'), as(role)))).toEqual(written.map(inOrder));
  });

  it('[AU3] make a member the moderator of a session of their own, and an admin of every one', () => {
    expect(asked(person('member'), { owner: 'p_me', open: 'named' })).toEqual(inOrder(MODERATOR));
    expect(asked(person('admin'), { open: 'named' })).toEqual(inOrder(MODERATOR));
  });

  it('[AU3] give a viewer nothing but to watch', () => {
    expect(SESSION_ROLES.map((role) => asked(person('viewer'), as(role)))).toEqual([['watch'], ['watch'], ['watch']]);
    expect(asked(person('viewer'), { owner: 'p_me' })).toEqual(['watch']);
  });

  it('[AU3] let others only watch a session that is to be watched', () => {
    expect(asked(person('member'), { watchOnly: true })).toEqual(['watch']);
    expect(asked(person('member'), { watchOnly: true, roles: new Map([['p_me', 'peer']]) })).toEqual(inOrder(PEER));
    expect(asked(person('member'), { watchOnly: true, owner: 'p_me' })).toEqual(inOrder(MODERATOR));
  });

  it('[T6] leave a session that is open to named people unknown to all others', () => {
    expect(asked(person('member'), { open: 'named', roles: new Map([['p_ada', 'peer']]) })).toEqual([]);
    expect(rightsOf(person('member'), [session({ open: 'named' })]).named.get('s_1')).toEqual(new Set());
  });
});

describe('keys', () => {
  it('[AU2] see what they made or were given, all of the workspace, or what is named', () => {
    const everything = { grants: GRANTS, owner: person('member') } as const;
    const made = { key: 'k_me' };
    const given = { roles: new Map<string, SessionRole>([['k_me', 'observer']]) };
    const seen = (facts: Partial<KeyFacts>) =>
      [{}, made, given, { session: 's_2' }].map((access) => asked(key({ ...everything, ...facts }), access).length > 0);

    expect(seen({ scope: 'own' })).toEqual([false, true, true, false]);
    expect(seen({ scope: 'named', sessions: ['s_2'] })).toEqual([false, true, true, true]);
    expect(seen({ scope: 'workspace' })).toEqual([true, true, true, true]);
    expect(asked(key({ ...everything, scope: 'own' }), given)).toEqual(['watch']);
  });

  it('[AU2] never have more than their grants, nor than the person they belong to', () => {
    expect(asked(key(), { key: 'k_me', owner: 'p_me' })).toEqual(['watch', 'drive', 'evaluate']);
    expect(asked(key({ owner: person('viewer'), scope: 'workspace' }))).toEqual(['watch']);
    expect(asked(key({ scope: 'workspace' }), { open: 'named' })).toEqual([]);
    const { workspace, sessions } = rightsOf(key({ grants: GRANTS, owner: person('viewer') }), []);
    expect([inOrder(workspace), sessions]).toEqual([['watch'], undefined]);
  });

  it('[AU3] see the server itself only with the grant to manage, and only if their person owns it', () => {
    const server = (grants: readonly Grant[], owns: boolean) =>
      rightsOf(key({ grants, owner: { ...person('owner'), server: owns } }), []).server;

    expect([server(['watch', 'manage'], true), server(['watch'], true), server(['manage'], false)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('[AU3] clipboard contains both of its parts, and each part stands alone', () => {
    const grants = (given: readonly Grant[]) => inOrder(grantsIn({ rights: everywhere(given) }, 's_1'));

    expect(grants(['clipboard'])).toEqual([...CLIPBOARD]);
    expect(grants(['clipboard:copy'])).toEqual(['clipboard:copy']);
  });
});

describe('links', () => {
  const link = (grants: readonly Grant[], maker: LinkFacts['maker']): LinkFacts => ({
    ...{ kind: 'link', id: 'sh_1', session: 's_1', grants, maker },
  });

  it('[AU4] give what they were made with, of what a link can give', () => {
    expect(asked(link(['watch'], person('member')))).toEqual(['watch']);
    expect(asked(link(['watch', 'drive', 'files', 'clipboard'], person('member')))).toEqual(inOrder(PEER));
    expect(asked(link(GRANTS, person('owner')))).toEqual(inOrder(PEER));
  });

  it('[AU4] are never wider than what their maker may at this moment', () => {
    const wide = ['watch', 'drive', 'files', 'clipboard'] as const;
    const maker = key({ grants: ['watch', 'drive', 'share'], scope: 'workspace' });

    expect(asked(link(wide, maker))).toEqual(['watch', 'drive']);
  });

  it('[AU4] give nothing when their maker may not share there any more, or not see the session', () => {
    expect(asked(link(['watch'], person('viewer')))).toEqual([]);
    expect(asked(link(['watch'], person('member')), { watchOnly: true })).toEqual([]);
    expect(asked(link(['watch'], person('member')), { open: 'named' })).toEqual([]);
    expect(asked(link(['watch'], key({ grants: ['watch', 'drive'], scope: 'workspace' })))).toEqual([]);
  });

  it('[T6] see one session: no other, none to come, and not the workspace', () => {
    const other = session({ session: 's_2' });
    const rights = rightsOf(link(['watch'], person('owner')), [session(), other]);

    expect(grantsIn({ rights }, 's_1')).toEqual(new Set(['watch']));
    expect(['s_2', 's_3'].map((id) => grantsIn({ rights }, id).size)).toEqual([0, 0]);
    expect([rights.server, rights.workspace.size]).toEqual([false, 0]);
  });
});
