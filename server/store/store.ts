import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Logger } from '@/server/telemetry/logger';
import { ApiKeyRepository } from './api-keys';
import { backups, writeBackup } from './backup';
import { BrowserRepository } from './browsers';
import { Connection } from './connection';
import { LoginRepository } from './credentials';
import { DATABASE_FILE, prepareDataDir, touchPrivate } from './data-dir';
import { codeOf, unusableDataDir } from './failures';
import { Journal } from './journal';
import { LeaseRepository } from './leases';
import { DataDirLock } from './lock';
import type { TimelineLoss } from './mark';
import { migrate } from './migrations/run';
import { PersonRepository } from './people';
import { SealedFiles } from './sealed-files';
import { HelpRequestRepository } from './help-requests';
import { ReceiptRepository } from './receipts';
import { PictureRepository } from './pictures';
import { SessionRepository } from './sessions';
import { openSignatures, type Signatures } from './signatures';
import type { SignedEnds } from './signed-ends';
import type { PublicKey } from './signer';
import { TabRepository } from './tabs';
import { TimelineRepository } from './timeline';
import { TimelineCheck, type TimelinesState } from './timeline-check';
import { exportLines } from './timeline-export';
import { verifyTimeline, type TimelineVerdict } from './timeline-verify';

/** How long a statement waits for another program's write before STORE_BUSY (F16). */
const BUSY_MS = 5_000;

export interface StoreOptions {
  /** Absolute path; made when missing. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Wall clock, for expiry and rows that people read; never for order. */
  readonly now?: () => Date;
  readonly busyMs?: number;
  /** `guest`: a short visit beside the running server (the CLI): no lock, no migration. */
  readonly as?: 'server' | 'guest';
}

interface StoreParts extends Signatures {
  readonly connection: Connection;
  readonly dataDir: string;
  /** Decides how long an action's id counts: not moved by somebody who sets the clock (F20). */
  readonly steady: () => Date;
  readonly busyMs: number;
  readonly lock: DataDirLock | undefined;
}

/** Everything that outlives the process, in one SQLite file. One owner; close it last. */
export class Store {
  readonly people: PersonRepository;
  readonly logins: LoginRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly browsers: BrowserRepository;
  readonly sessions: SessionRepository;
  readonly tabs: TabRepository;
  readonly leases: LeaseRepository;
  readonly questions: HelpRequestRepository;
  readonly receipts: ReceiptRepository;
  readonly timeline: TimelineRepository;
  readonly pictures: PictureRepository;
  readonly journal: Journal;
  /** What sessions are brought back with after a crash (BR5). */
  readonly saved: SealedFiles;
  /** What was found missing at start, for people to see (F17). */
  readonly loss: TimelineLoss | undefined;
  readonly #connection: Connection;
  readonly #signatures: Signatures;
  readonly #dataDir: string;
  readonly #busyMs: number;
  readonly #lock: DataDirLock | undefined;
  #closed = false;

  constructor({ connection, dataDir, steady, busyMs, lock, ...signatures }: StoreParts) {
    this.#connection = connection;
    this.#signatures = signatures;
    this.#dataDir = dataDir;
    this.#busyMs = busyMs;
    this.#lock = lock;
    this.loss = signatures.loss;
    this.people = new PersonRepository(connection);
    this.logins = new LoginRepository(connection);
    this.apiKeys = new ApiKeyRepository(connection);
    this.browsers = new BrowserRepository(connection);
    this.timeline = new TimelineRepository(connection, signatures.chain, signatures.mark, signatures.ends);
    this.pictures = new PictureRepository(connection, signatures.signer);
    this.sessions = new SessionRepository(connection, this.timeline);
    this.tabs = new TabRepository(connection);
    this.leases = new LeaseRepository(connection);
    this.questions = new HelpRequestRepository(connection);
    this.receipts = new ReceiptRepository(connection);
    this.journal = new Journal(connection, this.timeline, steady);
    this.saved = new SealedFiles(dataDir);
  }

  /**
   * Runs synchronous writes as one transaction, for example leases together with their timeline row. No `await` inside.
   */
  atomically<T>(work: () => T): T {
    return this.#connection.atomically(work);
  }

  /** Checks the hash chain of one session (T21). */
  verifyTimeline(workspace: string, session: string): TimelineVerdict {
    return verifyTimeline(this.#connection, this.#signatures, workspace, session);
  }

  /** Checks all timelines in the background; to be ended before the store is closed. */
  checkTimelines(clock: Clock, done: (state: TimelinesState) => void): TimelineCheck {
    return new TimelineCheck(this.#connection, this.#signatures, clock, done);
  }

  /** Whose signature stands under the timelines. Throws UNSUPPORTED for a guest. */
  timelineKey(): PublicKey {
    return this.#ends().publicKey;
  }

  /** A whole timeline as JSON lines with its signed end, as it is now (TL2). Throws NOT_FOUND, STORE_BUSY. */
  exportTimeline(workspace: string, session: string): AsyncGenerator<string, void> {
    return exportLines(this.#connection, workspace, this.#ends().sign(workspace, session));
  }

  /**
   * For `/readyz`: what is wrong with the database right now, found by a small write; undefined when it works (F15).
   */
  trouble(): string | undefined {
    return this.#connection.probe(this.#busyMs) ?? this.#signatures.mark?.trouble;
  }

  /**
   * Copies the database while it is in use and keeps the newest 24 copies (F17); once an hour is meant. Gives the path
   * of the copy.
   */
  backup(now: Date): Promise<string> {
    return writeBackup(this.#connection, this.#dataDir, now);
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#signatures.ends?.flush();
    this.#connection.close();
    this.#signatures.mark?.close();
    this.#lock?.release();
  }

  #ends(): SignedEnds {
    const { ends } = this.#signatures;
    if (!ends) throw new WheelhouseError('UNSUPPORTED', 'Only the server signs timelines.');
    return ends;
  }
}

/** The wall clock as it was when the process began, and what has passed since. */
function steadyDate(): Date {
  return new Date(performance.timeOrigin + performance.now());
}

/**
 * Opens the store: directory, lock, soundness, tables. Throws CONFLICT when another server holds the directory (F31),
 * STORE_BUSY when it cannot be used (F15); a damaged file is refused and left as it is (F17).
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
    return new Store({
      connection,
      dataDir,
      steady: options.now ?? steadyDate,
      busyMs,
      lock,
      ...openSignatures(connection, dataDir, guest, logger, now),
    });
  } catch (thrown) {
    connection?.close();
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
    const ran = guest ? [] : await migrate(connection.db);
    if (ran.length > 0) logger.info({ migration: ran }, 'The database was brought up to date.');
    return connection;
  } catch (thrown) {
    connection.close();
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
