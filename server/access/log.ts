import { Timers } from '@/lib/async/timers';
import { within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import type { LogMessage } from '@/lib/messages/log-messages';
import type { LogKind, LogRow } from '@/lib/people/log-row';
import { SYSTEM_ACTOR } from '@/lib/protocol/views';
import { cleanText } from '@/lib/text/clean';
import type { Store } from '@/server/store/store';
import type { NewLogRow } from '@/server/store/workspace-log';
import { actorKind, type Asker, type Principal } from './principal';

/** The kind of row of each message. */
const KIND_OF: Readonly<Record<LogMessage['code'], LogKind>> = {
  signedIn: 'sign-in',
  signedOut: 'sign-in',
  signInEnded: 'sign-in',
  signedOutEverywhere: 'sign-in',
  signInFailed: 'refusal',
  linkRefused: 'refusal',
  keyRefused: 'refusal',
  linkGuessed: 'refusal',
  linkMade: 'access',
  linkChanged: 'access',
  linkEnded: 'access',
  refused: 'refusal',
  passwordSet: 'account',
  secondFactorOn: 'account',
  secondFactorOff: 'account',
  recoveryCodesMade: 'account',
  recoveryCodeUsed: 'account',
  addressSet: 'account',
  nameSet: 'account',
  passkeyAdded: 'account',
  passkeyRemoved: 'account',
  providerAdded: 'account',
  providerRemoved: 'account',
  passwordLinkMade: 'account',
  secondFactorReset: 'account',
  memberRole: 'member',
  memberRemoved: 'member',
  memberLeft: 'member',
  memberJoined: 'member',
  invitationMade: 'invitation',
  invitationMadeFor: 'invitation',
  invitationChanged: 'invitation',
  invitationRevoked: 'invitation',
  keyMade: 'key',
  keyChanged: 'key',
  keyRotated: 'key',
  keyRevoked: 'key',
  accessOpened: 'access',
  accessNamed: 'access',
  accessWatchOnly: 'access',
  accessNotWatchOnly: 'access',
  sessionRoleGiven: 'access',
  sessionRoleTaken: 'access',
  workspaceMade: 'workspace',
  workspaceChanged: 'workspace',
  workspaceEnded: 'workspace',
  policyChanged: 'workspace',
};

/** Most characters of a name. */
const MOST_NAME = 200;

/** The person, key, session or invitation that a row is about. */
type About = NonNullable<LogRow['about']>;

/**
 * A row of what somebody did, for `log.append` within the `Store.change` that does it.
 *
 * @param by also a person who is about to become a principal; without id and name the server itself
 */
export function logEntry(
  { id, name, kind, address }: Pick<Asker, 'id' | 'name' | 'address'> & Pick<Principal, 'kind'>,
  said: LogMessage,
  about?: About,
): NewLogRow {
  if (id === undefined || name === undefined) return serverEntry(said, { about });
  const actor = { id, name: cleanText(name, MOST_NAME), kind: actorKind({ kind }) };
  return { ...rowOf(said, about), actor, door: kind === 'agent' ? 'http' : 'ui', address };
}

/** A row of what the server did by itself, such as the refusal of somebody unknown, who called from `address`. */
export function serverEntry(
  said: LogMessage,
  { about, address }: { readonly about?: About | undefined; readonly address?: string } = {},
): NewLogRow {
  return { ...rowOf(said, about), actor: SYSTEM_ACTOR, door: 'server', address };
}

function rowOf(said: LogMessage, about: About | undefined): Omit<NewLogRow, 'actor' | 'door'> {
  const kind = KIND_OF[said.code];
  return {
    ...{ said, kind, outcome: kind === 'refusal' ? 'failed' : 'ok' },
    about: about && { id: about.id, name: cleanText(about.name, MOST_NAME) },
  };
}

/** At most one row of refusals of one caller in this time. Milliseconds. */
const COUNT_MS = 60_000;
/** Most callers whose refusals are counted at once; those of all others are counted together. */
const MOST_COUNTED = 100;

/** How long the end of the server waits for rows that are not written yet. Milliseconds. */
const CLOSE_MS = 2_000;

/** Refusals of one caller since their last row. */
interface Counted {
  readonly workspace: string;
  times: number;
  /** The row of the last of them. */
  row: (times: number) => NewLogRow;
}

/** Writes those rows of workspaces' logs that tell of no change in the store; changes append theirs themselves. */
export class WorkspaceLog {
  readonly #counted = new Map<string, Counted>();
  readonly #timers: Timers;
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<Store, 'change'>,
    private readonly clock: Clock,
  ) {
    this.#timers = new Timers(clock);
  }

  /** Throws STORE_BUSY. */
  async write(workspace: string, row: NewLogRow): Promise<void> {
    await this.store.change(({ log }) => log.append(workspace, row));
  }

  /**
   * Counts a refusal of a caller, such as a credential or an address. The first one is written at once, and those of
   * each minute after it in one row, so that nobody can flood the log. Nothing waits for the row; one that the store
   * does not take is counted on.
   */
  count(workspace: string, caller: string, row: (times: number) => NewLogRow): void {
    const name = `${workspace} ${caller}`;
    const key = this.#counted.has(name) || this.#counted.size < MOST_COUNTED ? name : `${workspace} others`;
    const known = this.#counted.get(key);
    const counted = known ?? { workspace, times: 0, row };
    counted.times += 1;
    counted.row = row;
    this.#counted.set(key, counted);
    if (!known) this.#tell(key, counted);
  }

  /** Writes what is counted, as far as the store takes it in time. */
  async close(): Promise<void> {
    this.#timers.dispose();
    for (const counted of this.#counted.values()) this.#append(counted);
    await within(this.clock, CLOSE_MS, this.#written);
  }

  #tell(key: string, counted: Counted): void {
    this.#append(counted);
    this.#timers.plan(key, COUNT_MS, () => {
      if (counted.times === 0) this.#counted.delete(key);
      else this.#tell(key, counted);
    });
  }

  #append(counted: Counted): void {
    const { workspace, times, row } = counted;
    if (times === 0) return;
    counted.times = 0;
    this.#written = this.#written
      .then(() => this.write(workspace, row(times)))
      .catch(() => void (counted.times += times));
  }
}
