import { grantSet, type Grant, type Rights } from './grants';
import { administers, CEILING, IN_OPEN_SESSION, IN_SESSION, IN_WORKSPACE, type Role, type SessionRole } from './roles';

/** Who may enter a session, and what as. */
export interface SessionAccess {
  readonly session: string;
  readonly workspace: string;
  /** The person who made it, or whose key made it. */
  readonly owner: string | undefined;
  /** The key that made it. */
  readonly key: string | undefined;
  /** To everybody in the workspace, or to the people and keys in `roles` only. */
  readonly open: 'workspace' | 'named';
  /** Whom it is open to by the workspace may only watch. */
  readonly watchOnly: boolean;
  /** By person or key. */
  readonly roles: ReadonlyMap<string, SessionRole>;
}

export interface PersonFacts {
  readonly kind: 'person';
  readonly id: string;
  readonly role: Role;
  /** Whether this person owns the server. */
  readonly server: boolean;
}

export interface KeyFacts {
  readonly kind: 'key';
  readonly id: string;
  readonly grants: Iterable<Grant>;
  /** The sessions it sees: those it made or was given a role in, all of its workspace, or those in `sessions`, too. */
  readonly scope: 'own' | 'workspace' | 'named';
  readonly sessions: readonly string[];
  /** The person it belongs to, with the present role: a key never has more. */
  readonly owner: PersonFacts;
}

/** A share link: its guests have these grants in one session, as long as its maker has them and may share. */
export interface LinkFacts {
  readonly kind: 'link';
  readonly id: string;
  readonly session: string;
  readonly grants: Iterable<Grant>;
  /** The person or key that made it, with the present rights. */
  readonly maker: PersonFacts | KeyFacts;
}

export type WhoFacts = PersonFacts | KeyFacts | LinkFacts;

const NONE: ReadonlySet<Grant> = new Set();
const WATCH: ReadonlySet<Grant> = new Set(['watch']);

/** What a person, a key or a link may in one session; nothing where it does not exist for them (AU3, AU4, T6). */
export function rightsIn(who: WhoFacts, access: SessionAccess): ReadonlySet<Grant> {
  switch (who.kind) {
    case 'person':
      return ofPerson(who, access);
    case 'key':
      return ofKey(who, access);
    case 'link':
      return ofLink(who, access);
  }
}

/** All rights of a person, a key or a link, from the access of every session of its workspace. */
export function rightsOf(who: WhoFacts, all: Iterable<SessionAccess>): Rights {
  const named = new Map([...all].map((access) => [access.session, rightsIn(who, access)]));
  if (who.kind === 'link') return { server: false, workspace: NONE, sessions: undefined, named };
  if (who.kind === 'person')
    return { server: who.server, workspace: IN_WORKSPACE[who.role], sessions: IN_OPEN_SESSION[who.role], named };
  const grants = grantSet(who.grants);
  const open = both(grants, IN_OPEN_SESSION[who.owner.role]);
  return {
    server: who.owner.server && grants.has('manage'),
    workspace: both(grants, IN_WORKSPACE[who.owner.role]),
    sessions: who.scope === 'workspace' && open.size > 0 ? open : undefined,
    named,
  };
}

function ofPerson({ id, role }: PersonFacts, { owner, open, watchOnly, roles }: SessionAccess): ReadonlySet<Grant> {
  if (administers(role)) return IN_OPEN_SESSION[role];
  const own = owner === id ? 'moderator' : roles.get(id);
  if (own !== undefined) return both(IN_SESSION[own], CEILING[role]);
  if (open === 'named') return NONE;
  return watchOnly ? WATCH : IN_OPEN_SESSION[role];
}

function ofKey(key: KeyFacts, access: SessionAccess): ReadonlySet<Grant> {
  const given = access.roles.get(key.id);
  const sees =
    key.scope === 'workspace' ||
    access.key === key.id ||
    given !== undefined ||
    (key.scope === 'named' && key.sessions.includes(access.session));
  if (!sees) return NONE;
  const most = both(grantSet(key.grants), ofPerson(key.owner, access));
  return given === undefined ? most : both(most, IN_SESSION[given]);
}

/** The grants that a link can give its guests; all others are for people and keys only (AU4). */
const OF_LINKS: ReadonlySet<Grant> = grantSet(['watch', 'drive', 'files', 'clipboard']);

function ofLink({ session, grants, maker }: LinkFacts, access: SessionAccess): ReadonlySet<Grant> {
  if (access.session !== session) return NONE;
  const most = rightsIn(maker, access);
  if (!most.has('share') || !most.has('watch')) return NONE;
  return both(both(grantSet(grants), OF_LINKS), most);
}

function both(one: ReadonlySet<Grant>, other: ReadonlySet<Grant>): ReadonlySet<Grant> {
  return new Set([...one].filter((grant) => other.has(grant)));
}
