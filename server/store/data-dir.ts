import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { WheelhouseError } from '@/lib/errors/error';
import { codeOf, unusableDataDir } from './failures';

export const DATABASE_FILE = 'wheelhouse.sqlite';

/**
 * Creates the directory if it is missing and closes it to other users (0700), except one that holds other files than
 * ours. Throws STORE_BUSY with the reason and the cure (F15), CONFLICT when the directory is not ours to close.
 */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if ((statSync(dataDir).mode & 0o077) !== 0) closeToOthers(dataDir);
  } catch (thrown) {
    throw thrown instanceof WheelhouseError ? thrown : unusableDataDir(dataDir, thrown);
  }
}

function closeToOthers(dataDir: string): void {
  const entries = readdirSync(dataDir);
  if (entries.length > 0 && !entries.includes(DATABASE_FILE)) {
    throw new WheelhouseError(
      'CONFLICT',
      `The data directory "${dataDir}" holds other files and other users can look into it. Set DATA_DIR to a directory of its own.`,
    );
  }
  chmodSync(dataDir, 0o700);
}

/** Creates an empty file that only its owner may read, unless it exists; SQLite gives its side files the same mode. */
export function touchPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * Reads the 32-byte secret in `name`, or creates it (0600, on disk before it is used). With `mayMake` false it must
 * exist, since signatures made with it would no longer verify; throws CONFLICT with the cure.
 */
export function secretFile(dataDir: string, name: string, mayMake: boolean): Buffer {
  const path = join(dataDir, name);
  const found = readSecret(path);
  if (found) return found;
  if (!mayMake) {
    throw new WheelhouseError(
      'CONFLICT',
      `The file "${path}" is missing or damaged, and the timelines were signed with it. Put it back from a backup, or move the data directory away to start afresh.`,
    );
  }
  const secret = randomBytes(32);
  writeDurably(path, secret.toString('hex'));
  return secret;
}

function readSecret(path: string): Buffer | undefined {
  try {
    const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
    if (secret.length !== 32) return undefined;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return secret;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
