import { hostname } from 'node:os';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { codeOf, unusableDataDir } from './failures';
import { touchPrivate } from './data-dir';

const LOCK_FILE = 'lock.sqlite';
const HOLDER_FILE = 'holder.json';

const holderSchema = z.object({ pid: z.int(), startedAt: z.string(), host: z.string() });
/** The process that holds a data directory, for the error of a second server. Never used to decide. */
export type LockHolder = z.infer<typeof holderSchema>;

/**
 * One server per data directory (F31). The lock is SQLite's own file lock on a separate file: the system releases it
 * when the holder dies and keeps it while the holder is only stopped, so it is never taken from a living server. No
 * other code may open that file: closing another descriptor of it would release the lock (POSIX).
 */
export class DataDirLock {
  readonly #db: Sqlite.Database;

  private constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  /** Takes the lock or throws at once: CONFLICT with the holder's pid, STORE_BUSY when the directory cannot be used. */
  static acquire(dataDir: string): DataDirLock {
    const db = open(dataDir);
    try {
      db.exec('BEGIN EXCLUSIVE');
      writeHolder(dataDir);
    } catch (thrown) {
      db.close();
      throw codeOf(thrown).startsWith('SQLITE_BUSY') ? heldBy(dataDir) : unusableDataDir(dataDir, thrown);
    }
    return new DataDirLock(db);
  }

  /** Releases the lock. Safe to call twice. */
  release(): void {
    this.#db.close();
  }
}

function open(dataDir: string): Sqlite.Database {
  try {
    touchPrivate(join(dataDir, LOCK_FILE));
    return new Sqlite(join(dataDir, LOCK_FILE), { timeout: 0 });
  } catch (thrown) {
    throw unusableDataDir(dataDir, thrown);
  }
}

function writeHolder(dataDir: string): void {
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  const holder: LockHolder = { pid: process.pid, startedAt, host: hostname() };
  const draft = join(dataDir, `${HOLDER_FILE}.new`);
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  renameSync(draft, join(dataDir, HOLDER_FILE));
}

function heldBy(dataDir: string): WheelhouseError {
  const holder = readHolder(dataDir);
  const who = holder ? `process ${holder.pid} on ${holder.host}, started ${holder.startedAt}` : 'it is just starting';
  const stopped =
    holder && isStopped(holder) ? ` That process is paused: continue it (kill -CONT ${holder.pid}) or end it.` : '';
  const message = `Another Wheelhouse server uses the data directory "${dataDir}" (${who}).${stopped} Stop that server first, or set DATA_DIR to another directory.`;
  return new WheelhouseError('CONFLICT', message, { details: { dataDir, ...holder } });
}

function readHolder(dataDir: string): LockHolder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(join(dataDir, HOLDER_FILE), 'utf8')));
  } catch {
    // Needed only to name the holder in the error.
    return undefined;
  }
}

/** Linux only: state T of /proc/<pid>/stat. False elsewhere, so that the error leaves it out. */
function isStopped(holder: LockHolder): boolean {
  if (holder.host !== hostname() || process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${holder.pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}
