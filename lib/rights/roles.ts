import { z } from 'zod';
import { grantSet, type Grant } from './grants';

/** The roles of people in a workspace, each with the grants of those before it (AU2). */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** The roles in one session (AU3). */
export const SESSION_ROLES = ['observer', 'peer', 'moderator'] as const;
export const sessionRoleSchema = z.enum(SESSION_ROLES);
export type SessionRole = z.infer<typeof sessionRoleSchema>;

const MEMBER = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share'] as const;

/** What each role may in the workspace: see its lists, make sessions (`drive`), keys, people, owners. */
export const IN_WORKSPACE: Readonly<Record<Role, ReadonlySet<Grant>>> = {
  viewer: grantSet(['watch']),
  member: grantSet([...MEMBER, 'keys']),
  admin: grantSet([...MEMBER, 'keys', 'manage']),
  owner: grantSet([...MEMBER, 'keys', 'manage', 'own']),
};

const MODERATOR: ReadonlySet<Grant> = new Set([...grantSet(MEMBER), 'manage' as const]);

/** What each role may in a session that is open to the workspace. */
export const IN_OPEN_SESSION: Readonly<Record<Role, ReadonlySet<Grant>>> = {
  viewer: grantSet(['watch']),
  member: grantSet(MEMBER),
  admin: MODERATOR,
  owner: MODERATOR,
};

/** In a session, `manage` means to moderate: to take from people, end it, pause it and say who may what. */
export const IN_SESSION: Readonly<Record<SessionRole, ReadonlySet<Grant>>> = {
  observer: grantSet(['watch']),
  peer: grantSet(['watch', 'drive', 'files', 'clipboard']),
  moderator: MODERATOR,
};

/** No role in a session gives a person more than this. */
export const CEILING: Readonly<Record<Role, ReadonlySet<Grant>>> = {
  viewer: IN_OPEN_SESSION.viewer,
  member: MODERATOR,
  admin: MODERATOR,
  owner: MODERATOR,
};

/** Whether people of this role moderate every session and say who may what in the workspace. */
export function administers(role: Role): boolean {
  return role === 'admin' || role === 'owner';
}

/**
 * Whether a person of role `by` may change somebody's role: `from` undefined adds them, `to` undefined removes them.
 * Only owners make, change and remove owners.
 */
export function mayAppoint(by: Role, from: Role | undefined, to: Role | undefined): boolean {
  if (by === 'owner') return true;
  return by === 'admin' && from !== 'owner' && to !== 'owner';
}
