import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { tempDir } from './temp-store';

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

/** The sessions of the sample of 1f9baa86, by their makers. */
export const OLD_MAKERS = {
  person: 's_mainofperson0',
  key: 's_mainofagent00',
  preset: 's_mainofpreset0',
  nobody: 's_mainofnobody0',
} as const;

/**
 * A data directory as the server of a commit left it when it was killed. The sample holds the files by path, as JSON of
 * latin1 texts, compressed; a recipe in `old-data` is the program that wrote it.
 *
 * @param version da4c5e6: the newest rows are only in SQLite's log and not signed, one action is still under way, and
 * `<session>.jsonl` are two exports by that server. 1f9baa86: the last version with one owner.
 */
export function oldDataDir(version: 'da4c5e6' | '1f9baa86' = 'da4c5e6'): string {
  const dataDir = tempDir();
  const sample = readFileSync(`server/testing/old-data/${version}.br`);
  const files = z.record(z.string(), z.string()).parse(JSON.parse(brotliDecompressSync(sample).toString()));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, path), Buffer.from(bytes, 'latin1'), { mode: 0o600 });
  }
  return dataDir;
}
