import { WheelhouseError, messageOf } from '@/lib/errors/error';

/** The code of a SQLite or file-system failure, for example `SQLITE_BUSY` or `EROFS`; empty when there is none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

const UNWRITABLE = /^SQLITE_(?:READONLY|IOERR|FULL|CANTOPEN|PERM)/;

/**
 * STORE_BUSY when another program holds the database, or the disk refuses: nothing was written, and the caller may try
 * again (F15, F16). Other errors as they are.
 */
export function storeFailure(thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new WheelhouseError('STORE_BUSY', 'Another program is writing to the database.', { cause: thrown });
  }
  if (!UNWRITABLE.test(code)) return thrown;
  const hint = 'Nothing was saved. Check that the data directory is writable and its disk is not full.';
  return new WheelhouseError('STORE_BUSY', `The database cannot be written (${code}).`, { hint, cause: thrown });
}

const DISK_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only disk',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EIO: 'its disk reports an error',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_CANTOPEN: 'this user may not write there',
  SQLITE_FULL: 'its disk is full',
  SQLITE_IOERR: 'its disk reports an error',
};

/** The error for a data directory that cannot be used, with the cure in one sentence (F15). */
export function unusableDataDir(dataDir: string, thrown: unknown): WheelhouseError {
  const code = codeOf(thrown);
  const known = Object.entries(DISK_REASONS).find(([prefix]) => code === prefix || code.startsWith(`${prefix}_`));
  const reason = known?.[1] ?? messageOf(thrown);
  const message = `The data directory "${dataDir}" cannot be used: ${reason}${code ? ` (${code})` : ''}. Make it writable for this user, or set DATA_DIR to another directory.`;
  return new WheelhouseError('STORE_BUSY', message, { cause: thrown, details: { dataDir, code } });
}
