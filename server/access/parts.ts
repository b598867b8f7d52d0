import type { Mail } from '@/server/mail/mail';
import type { Person } from '@/server/store/people';
import type { Store } from '@/server/store/store';
import type { AccessLimits } from './limits';
import type { LiveRights } from './live-rights';
import type { LiveCredentials } from './liveness';
import type { WorkspaceLog } from './log';
import type { Site } from './sites';

/** What the classes of `Access` share. */
export interface AccessParts {
  readonly store: Store;
  /** The owner of the server. */
  readonly owner: Person;
  readonly log: WorkspaceLog;
  readonly live: LiveCredentials;
  readonly rights: LiveRights;
  readonly limits: AccessLimits;
  /** Undefined: this server sends no mails. */
  readonly mail: Mail | undefined;
  /** Whether people may sign in by password here. */
  readonly passwordSignIn: boolean;
  /** The issuer by whose accounts people may sign in here. */
  readonly issuer: string | undefined;
  /**
   * The domains whose addresses the issuer gives out: an account has one only by the issuer or an invitation for it.
   */
  readonly domains: readonly string[];
  /** The addresses of the server; none before it listens. */
  readonly sites: () => readonly Site[];
  readonly port: () => number;
  /** The wall clock, used for expiry only. */
  readonly now: () => Date;
}
