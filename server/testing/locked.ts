import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';

/** Locks a database as another program would, until the returned function is called or the test ends. */
export function lockDatabase(dataDir: string): () => void {
  const other = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  return () => void other.exec('ROLLBACK');
}
