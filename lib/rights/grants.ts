import { z } from 'zod';

/** The rights of a principal, each granted separately (AU3). */
export const GRANTS = [
  'watch',
  'drive',
  'evaluate',
  'files',
  'clipboard',
  'clipboard:copy',
  'clipboard:paste',
  'share',
  'keys',
  'manage',
  'own',
] as const;
export const grantSchema = z.enum(GRANTS);
export type Grant = z.infer<typeof grantSchema>;

/** What a key may be given: never to make owners, or to delete the workspace. */
export const keyGrantSchema = grantSchema.exclude(['own']);
export const KEY_GRANTS: readonly Grant[] = keyGrantSchema.options;

/** What each grant allows; completes the message "This needs the grant …". */
export const GRANT_MEANINGS: Readonly<Record<Grant, string>> = {
  watch: 'see the page, its snapshot and the timeline',
  drive: 'act on a page and take the wheel',
  evaluate: 'run scripts in a page',
  files: 'up- and download files',
  clipboard: 'copy out of and paste into a page',
  'clipboard:copy': 'copy out of a page',
  'clipboard:paste': 'paste into a page',
  share: 'invite others by link',
  keys: 'make and revoke keys',
  manage: 'start and stop browsers and manage people and keys',
  own: 'make owners and delete the workspace',
};

/** Why a member of a workspace has no grants in it at the moment. */
export const withheldSchema = z.enum(['SECOND_FACTOR_NEEDED']);
export type Withheld = z.infer<typeof withheldSchema>;

/** The grants of a principal in its workspace and in each session. */
export interface Rights {
  /** The principal is a member, and gets its grants back when this is cured. */
  readonly withheld?: Withheld | undefined;
  /** The principal may see the server itself, not only its workspace: figures, diagnostics, settings. */
  readonly server?: boolean;
  /** Grants in the workspace itself: its lists, browsers, keys, and new sessions. */
  readonly workspace: ReadonlySet<Grant>;
  /**
   * Grants in every session that `named` does not list. Undefined: such a session does not exist for this principal.
   */
  readonly sessions: ReadonlySet<Grant> | undefined;
  /**
   * By session id: replaces `sessions` for that session. An empty set: the session does not exist for the principal.
   */
  readonly named: ReadonlyMap<string, ReadonlySet<Grant>>;
}

const CONTAINED: Readonly<Partial<Record<Grant, readonly Grant[]>>> = {
  clipboard: ['clipboard:copy', 'clipboard:paste'],
  manage: ['keys'],
};

/** The grants as a set, with those that others of them contain. */
export function grantSet(grants: Iterable<Grant>): ReadonlySet<Grant> {
  return new Set([...grants].flatMap((grant) => [grant, ...(CONTAINED[grant] ?? [])]));
}

/** Gives the same grants in the workspace and in all of its sessions. */
export function everywhere(grants: Iterable<Grant>): Rights {
  const all = grantSet(grants);
  return { workspace: all, sessions: all, named: new Map() };
}

const NONE: ReadonlySet<Grant> = new Set();

/** The grants in one session; none where it does not exist for the principal. */
export function grantsIn({ rights }: { readonly rights: Rights }, session: string): ReadonlySet<Grant> {
  return rights.named.get(session) ?? rights.sessions ?? NONE;
}
