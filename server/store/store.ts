import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Logger } from '@/server/telemetry/logger';
import { AccountRepository } from './accounts';
import { ApiKeyRepository } from './api-keys';
import { backUpBefore, backups, writeBackup } from './backup';
import { BrowserRepository } from './browsers';
import { CommentRepository } from './comments';
import { Connection, type Database } from './connection';
import { SignInRepository } from './credentials';
import { DATABASE_FILE, prepareDataDir, secretFile, touchPrivate } from './data-dir';
import { codeOf, unusableDataDir } from './failures';
import { InvitationRepository } from './invitations';
import { Journal } from './journal';
import { LeaseRepository, type LeaseRecord } from './leases';
import { LinkRepository } from './links';
import { DataDirLock } from './lock';
import type { TimelineLoss } from './head-file';
import { migrate } from './migrations/run';
import { PersonRepository } from './people';
import { SealedFiles } from './sealed-files';
import { HelpRequestRepository, type HelpRequestRecord } from './help-requests';
import { ReceiptRepository, type ReceiptRecord } from './receipts';
import { PictureRepository } from './pictures';
import { SessionAccessRepository } from './session-access';
import { SessionRepository } from './sessions';
import { openSignatures, type Signatures } from './signatures';
import type { PublicKey, Signer } from './signer';
import { TabRepository } from './tabs';
import { TimelineRepository, type NewTimelineEvent } from './timeline';
import { TimelineCheck, type TimelinesState } from './timeline-check';
import { exportLines } from './timeline-export';
import { verifyTimeline, type TimelineVerdict } from './timeline-verify';
import { WorkspaceLogRepository } from './workspace-log';

/** Most time that a statement waits for another program's write before STORE_BUSY (F16). */
const BUSY_MS = 5_000;

export interface StoreOptions {
  /** Absolute path; created when missing. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Wall clock, for expiry and for rows that people read; never for order. */
  readonly now?: () => Date;
  readonly busyMs?: number;
  /** `guest`: the CLI beside a running server: no lock, no migration. */
  readonly as?: 'server' | 'guest';
}

interface StoreParts {
  readonly connection: Connection;
  readonly dataDir: string;
  readonly now: () => Date;
  /** Decides how long an action's id counts; does not follow changes of the system's clock (F20). */
  readonly steady: () => Date;
  readonly lock: DataDirLock | undefined;
  /** Undefined for a guest. */
  readonly signatures: Signatures | undefined;
}

/** The changes that one decision about a session stores. */
export interface Changes {
  readonly leases?: readonly LeaseRecord[];
  readonly helpRequests?: readonly HelpRequestRecord[];
  /** Ids of help requests whose outcome has been delivered. */
  readonly forgotten?: readonly string[];
  readonly receipts?: readonly ReceiptRecord[];
  readonly rows?: readonly NewTimelineEvent[];
}

/** Everything about people and their rights; a change of several of them is one commit (`Store.change`). */
export interface PeopleTables {
  readonly people: PersonRepository;
  readonly signIns: SignInRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly invitations: InvitationRepository;
  readonly access: SessionAccessRepository;
  readonly links: LinkRepository;
  readonly accounts: AccountRepository;
  readonly log: WorkspaceLogRepository;
}

/**
 * Everything that outlives the process. A write counts when its promise has settled, not before. It has one owner,
 * which closes it last.
 */
export class Store implements PeopleTables {
  readonly people: PersonRepository;
  readonly signIns: SignInRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly invitations: InvitationRepository;
  readonly access: SessionAccessRepository;
  readonly links: LinkRepository;
  readonly accounts: AccountRepository;
  readonly log: WorkspaceLogRepository;
  readonly comments: CommentRepository;
  readonly browsers: BrowserRepository;
  readonly sessions: SessionRepository;
  readonly tabs: TabRepository;
  readonly leases: LeaseRepository;
  readonly questions: HelpRequestRepository;
  readonly receipts: ReceiptRepository;
  readonly timeline: TimelineRepository;
  readonly pictures: PictureRepository;
  readonly journal: Journal;
  /** The saved state by which sessions are restored after a crash (BR5). */
  readonly saved: SealedFiles;
  readonly #parts: StoreParts;
  #closed: Promise<void> | undefined;
  #accountsSecret: Buffer | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    const { db } = parts.connection;
    const own = this.#peopleTables(db);
    this.people = own.people;
    this.signIns = own.signIns;
    this.apiKeys = own.apiKeys;
    this.invitations = own.invitations;
    this.access = own.access;
    this.links = own.links;
    this.accounts = own.accounts;
    this.log = own.log;
    this.comments = new CommentRepository(db);
    this.browsers = new BrowserRepository(db);
    this.timeline = new TimelineRepository(db, parts.signatures, parts.now);
    this.pictures = new PictureRepository(db, parts.signatures?.signer);
    this.sessions = new SessionRepository(db, this.timeline);
    this.tabs = new TabRepository(db);
    this.leases = new LeaseRepository(db);
    this.questions = new HelpRequestRepository(db);
    this.receipts = new ReceiptRepository(db);
    this.journal = new Journal(db, this.timeline, parts.steady);
    this.saved = new SealedFiles(parts.dataDir);
  }

  /** What was missing at start, for people to see (F17). */
  get loss(): TimelineLoss | undefined {
    return this.#parts.signatures?.loss;
  }

  /** Stores all changes of one decision or none; returns the rows with their positions. Throws STORE_BUSY. */
  commit(
    place: { readonly workspace: string; readonly session: string },
    { leases = [], helpRequests = [], forgotten = [], receipts = [], rows = [] }: Changes,
  ): Promise<TimelineEvent[]> {
    return this.timeline.transaction(async (tx, append) => {
      for (const lease of leases) await new LeaseRepository(tx).save(lease, this.#parts.now());
      for (const request of helpRequests) await new HelpRequestRepository(tx).save(place, request);
      for (const id of forgotten) await new HelpRequestRepository(tx).remove(place, id);
      for (const receipt of receipts) await new ReceiptRepository(tx).save(place, receipt);
      const placed: TimelineEvent[] = [];
      for (const row of rows) placed.push(await append(place.workspace, place.session, row));
      return placed;
    });
  }

  /**
   * Stores all changes of people and their rights that `work` makes, or none. Within it use only the repositories that
   * it is given, and of them no method that has a transaction of its own (`people.ensureOwner`).
   * Throws STORE_BUSY.
   */
  change<T>(work: (tables: PeopleTables) => Promise<T>): Promise<T> {
    return this.#parts.connection.transaction((tx) => work(this.#peopleTables(tx)));
  }

  #peopleTables(db: Database): PeopleTables {
    return {
      people: new PersonRepository(db),
      signIns: new SignInRepository(db),
      apiKeys: new ApiKeyRepository(db),
      invitations: new InvitationRepository(db),
      access: new SessionAccessRepository(db),
      links: new LinkRepository(db),
      accounts: new AccountRepository(db),
      log: new WorkspaceLogRepository(db, this.#parts.signatures?.signer, this.#parts.now),
    };
  }

  /** Verifies the hash chain of one session. */
  verifyTimeline(workspace: string, session: string): Promise<TimelineVerdict> {
    return verifyTimeline(this.#parts.connection.db, this.#signer(), { workspace, session });
  }

  /** Verifies all timelines in the background; dispose of the check before the store is closed. */
  checkTimelines(clock: Clock, done: (state: TimelinesState) => void): TimelineCheck {
    return new TimelineCheck(this.#parts.connection.db, this.#signer(), clock, done);
  }

  /** The public key of the timelines' signatures. Throws UNSUPPORTED for a guest. */
  timelineKey(): PublicKey {
    return this.#signer().publicKey;
  }

  /** A whole timeline as JSON lines with its signed head, in its present state (TL2). Throws NOT_FOUND, STORE_BUSY. */
  exportTimeline(workspace: string, session: string): AsyncGenerator<string, void> {
    return exportLines(this.#parts.connection.db, this.#signer(), workspace, session);
  }

  /** The secret that pending sign-ins are signed, and seeds of codes are encrypted with; made at the first use. */
  accountsSecret(): Buffer {
    return (this.#accountsSecret ??= secretFile(this.#parts.dataDir, 'accounts.key', true));
  }

  /** For `/readyz`: the present problem of the database, found by a small write; undefined when it works (F15). */
  async trouble(): Promise<string | undefined> {
    return (await this.#parts.connection.probe()) ?? this.#parts.signatures?.heads.trouble;
  }

  /**
   * Makes a backup of the database while it is in use, and keeps the newest 24 (F17); called once an hour. Returns the
   * path of the backup.
   */
  backup(now: Date): Promise<string> {
    return writeBackup(this.#parts.connection, this.#parts.dataDir, now);
  }

  /** Closes after the writes under way. Safe to call twice. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const { connection, signatures, lock } = this.#parts;
    await connection.close();
    signatures?.heads.close();
    lock?.release();
  }

  #signer(): Signer {
    const { signatures } = this.#parts;
    if (!signatures) throw new WheelhouseError('UNSUPPORTED', 'Only the server signs timelines.');
    return signatures.signer;
  }
}

/** The wall clock of the process start plus the time that has passed since. */
function steadyDate(): Date {
  return new Date(performance.timeOrigin + performance.now());
}

/**
 * Opens the store: directory, lock, soundness, tables. Throws CONFLICT when another server holds the directory (F31),
 * STORE_BUSY when the directory cannot be used (F15); refuses a damaged file and leaves it as it is (F17).
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, logger, now = () => new Date(), busyMs = BUSY_MS } = options;
  const guest = options.as === 'guest';
  if (guest) requireDatabase(dataDir);
  else prepareDataDir(dataDir);
  const lock = guest ? undefined : DataDirLock.acquire(dataDir);
  let connection: Connection | undefined;
  try {
    connection = await openDatabase(dataDir, busyMs, guest, logger);
    const signatures = guest ? undefined : await openSignatures(connection.db, dataDir, logger);
    return new Store({ connection, dataDir, now, steady: options.now ?? steadyDate, lock, signatures });
  } catch (thrown) {
    await connection?.close();
    lock?.release();
    throw thrown;
  }
}

function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE_FILE))) return;
  throw new WheelhouseError(
    'NOT_FOUND',
    `There is no Wheelhouse data in "${dataDir}". Start the server once, or set DATA_DIR to its directory.`,
  );
}

async function openDatabase(dataDir: string, busyMs: number, guest: boolean, logger: Logger): Promise<Connection> {
  const path = join(dataDir, DATABASE_FILE);
  const connection = openFile(dataDir, path, busyMs);
  try {
    if (!guest) requireSound(connection, dataDir, path);
    connection.configure();
    const save = (first: string) => backUpBefore(connection, dataDir, first, new Date());
    const ran = guest ? [] : await migrate(connection.db, dataDir, save);
    if (ran.length > 0) logger.info({ migration: ran }, 'The database was brought up to date.');
    return connection;
  } catch (thrown) {
    await connection.close();
    const cause = thrown instanceof WheelhouseError ? thrown.cause : thrown;
    throw /^SQLITE_(?:READONLY|CANTOPEN|IOERR|FULL)/.test(codeOf(cause)) ? unusableDataDir(dataDir, cause) : thrown;
  }
}

function openFile(dataDir: string, path: string, busyMs: number): Connection {
  try {
    touchPrivate(path);
    return new Connection(path, busyMs);
  } catch (thrown) {
    throw unusableDataDir(dataDir, thrown);
  }
}

function requireSound(connection: Connection, dataDir: string, path: string): void {
  const damage = connection.damage();
  if (damage.length === 0) return;
  const [last] = backups(dataDir);
  const cure =
    last === undefined
      ? 'There is no backup; move it away to start afresh.'
      : `Put its last backup in its place: "${last}".`;
  const message = `The database "${path}" is damaged and was left as it is: ${damage[0]}. ${cure}`;
  throw new WheelhouseError('CONFLICT', message, { details: { damage } });
}
