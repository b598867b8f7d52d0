import { z } from 'zod';

/** The rights of a principal, each granted separately (AU3). */
export const GRANTS = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share', 'manage'] as const;
export const grantSchema = z.enum(GRANTS);
export type Grant = z.infer<typeof grantSchema>;

/** What each grant allows; completes the message "This needs the grant …". */
export const GRANT_MEANINGS: Readonly<Record<Grant, string>> = {
  watch: 'see the page, its snapshot and the timeline',
  drive: 'act on a page and take the wheel',
  evaluate: 'run scripts in a page',
  files: 'up- and download files',
  clipboard: 'copy out of and paste into a page',
  share: 'invite others by link',
  manage: 'start and stop browsers and manage keys',
};

/** The grants of a principal in its workspace and in each session. */
export interface Rights {
  /** Grants in the workspace itself: its lists, browsers, keys, and new sessions. */
  readonly workspace: ReadonlySet<Grant>;
  /**
   * Grants in every session that `named` does not list. Undefined: such a session does not exist for this principal.
   */
  readonly sessions: ReadonlySet<Grant> | undefined;
  /** By session id: replaces `sessions` for that session. */
  readonly named: ReadonlyMap<string, ReadonlySet<Grant>>;
}

/** Gives the same grants in the workspace and in all of its sessions. */
export function everywhere(grants: Iterable<Grant>): Rights {
  const all = new Set(grants);
  return { workspace: all, sessions: all, named: new Map() };
}

const NONE: ReadonlySet<Grant> = new Set();

/** The grants in one session. */
export function grantsIn({ rights }: { readonly rights: Rights }, session: string): ReadonlySet<Grant> {
  return rights.named.get(session) ?? rights.sessions ?? NONE;
}
