import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { tempDir } from './temp-store';

const SAMPLE = 'server/testing/old-data/da4c5e6.br';

/**
 * The sessions of the sample: one with everything that a session can have, one with an unsigned end, one that ended,
 * one without a row.
 */
export const OLD = {
  whole: 's_oldfirstsessio',
  tail: 's_oldtailunsign',
  ended: 's_oldendedsessi',
  empty: 's_oldemptysessi',
} as const;

/**
 * A data directory as the server of commit da4c5e6 left it when it was killed: the newest rows are only in SQLite's log
 * and not signed, and one action is still under way. `<session>.jsonl` are two exports by that server. The sample holds
 * the files by path, as JSON of latin1 texts, compressed; `old-data/recipe.txt` is the program that wrote it.
 */
export function oldDataDir(): string {
  const dataDir = tempDir();
  const files = z
    .record(z.string(), z.string())
    .parse(JSON.parse(brotliDecompressSync(readFileSync(SAMPLE)).toString()));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, path), Buffer.from(bytes, 'latin1'), { mode: 0o600 });
  }
  return dataDir;
}
