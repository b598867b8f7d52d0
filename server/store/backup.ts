import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WheelhouseError } from '@/lib/errors/error';
import { Connection } from './connection';
import { DATABASE_FILE, touchPrivate } from './data-dir';
import { DataDirLock } from './lock';

const DIRECTORY = 'backups';
const NAME = /^wheelhouse-.*\.sqlite$/;
const KEPT = 24;
/** A backup from before a change of the tables; it stays until somebody removes it. */
const BEFORE = /^before-.*\.sqlite$/;

/** Paths of the hourly backups, newest first. */
export function backups(dataDir: string): string[] {
  return named(dataDir, NAME);
}

/** Paths of the backups that were made before the tables were changed, newest first. */
export function backupsBeforeMigration(dataDir: string): string[] {
  return named(dataDir, BEFORE).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
}

function named(dataDir: string, pattern: RegExp): string[] {
  const directory = join(dataDir, DIRECTORY);
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => pattern.test(name))
    .toSorted()
    .reverse()
    .map((name) => join(directory, name));
}

/** Writes a backup whose name carries the time; an interrupted one never gets that name. */
export async function writeBackup(connection: Connection, dataDir: string, now: Date): Promise<string> {
  const path = await copied(connection, dataDir, `wheelhouse-${now.toISOString().replaceAll(':', '-')}.sqlite`);
  for (const old of backups(dataDir).slice(KEPT)) rmSync(old);
  return path;
}

/** Writes a backup of the tables as they are before the migration `first`; it stays beside the hourly ones. */
export function backUpBefore(connection: Connection, dataDir: string, first: string, now: Date): Promise<string> {
  return copied(connection, dataDir, `before-${first}-${now.toISOString().replaceAll(':', '-')}.sqlite`);
}

async function copied(connection: Connection, dataDir: string, name: string): Promise<string> {
  mkdirSync(join(dataDir, DIRECTORY), { recursive: true, mode: 0o700 });
  const draft = join(dataDir, DIRECTORY, 'unfinished');
  rmSync(draft, { force: true });
  touchPrivate(draft);
  await connection.copyTo(draft);
  const path = join(dataDir, DIRECTORY, name);
  renameSync(draft, path);
  return path;
}

export interface RestoredBackup {
  /** The backup that is in place now; later changes are lost. */
  readonly from: string;
  /** Where the damaged files were moved to. */
  readonly damaged: string;
}

/**
 * Replaces a damaged database by the newest sound backup, and keeps the damaged files (F17). Only while no server runs.
 * Throws NOT_FOUND without a sound backup, CONFLICT while a server holds the directory.
 */
export async function restoreLatestBackup(dataDir: string, now: Date): Promise<RestoredBackup> {
  const lock = DataDirLock.acquire(dataDir);
  try {
    const from = await newestSound(backups(dataDir));
    if (from === undefined)
      throw new WheelhouseError('NOT_FOUND', `There is no sound backup in "${join(dataDir, DIRECTORY)}".`);
    const damaged = join(dataDir, `damaged-${now.toISOString().replaceAll(':', '-')}`);
    mkdirSync(damaged, { mode: 0o700 });
    for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`]) {
      if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(damaged, name));
    }
    copyFileSync(from, join(dataDir, DATABASE_FILE));
    return { from, damaged };
  } finally {
    lock.release();
  }
}

async function newestSound(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const connection = new Connection(path, 0);
    try {
      if (connection.damage().length === 0) return path;
    } finally {
      await connection.close();
    }
  }
  return undefined;
}
