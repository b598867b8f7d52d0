import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '@/server/testing/temp-store';
import { SealedFiles } from './sealed-files';

const TEXT = 'cookie=canary-71d3';

it('[BR5] [T14] a later server can read encrypted files; no plain text is on disk; only the owner may read the files', async () => {
  const dir = tempDir();
  await new SealedFiles(dir).write('s_1', 'first');
  await new SealedFiles(dir).write('s_1', TEXT);
  const files = readdirSync(join(dir, 'saved')).map((file) => join(dir, 'saved', file));

  expect(await new SealedFiles(dir).read('s_1')).toBe(TEXT);
  expect(files).toHaveLength(1);
  expect(
    [...files, join(dir, 'saved.key')].map((file) => [
      statSync(file).mode & 0o777,
      readFileSync(file).includes('canary'),
    ]),
  ).toEqual([
    [0o600, false],
    [0o600, false],
  ]);
});

it('[BR5] [T6] changed or truncated files, and those of another session or key, count as not saved', async () => {
  const dir = tempDir();
  const files = new SealedFiles(dir);
  const path = (name: string): string => join(dir, 'saved', `${name}.sealed`);
  for (const name of ['bent', 'cut', 'other', 'empty']) await files.write(name, TEXT);
  const bent = readFileSync(path('bent'));
  bent[14] = (bent[14] ?? 0) ^ 1;
  writeFileSync(path('bent'), bent);
  writeFileSync(path('cut'), readFileSync(path('cut')).subarray(0, -3));
  writeFileSync(path('empty'), '');
  renameSync(path('other'), path('s_2'));
  await files.write('kept', TEXT);
  writeFileSync(join(dir, 'saved.key'), '00'.repeat(32));

  expect(await Promise.all(['bent', 'cut', 's_2', 'empty', 'never'].map((name) => files.read(name)))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(await new SealedFiles(dir).read('kept')).toBeUndefined();
});

it('[BR5] are deleted with their session, also with one that ended while no server ran', async () => {
  const dir = tempDir();
  const files = new SealedFiles(dir);
  for (const name of ['s_1', 's_2', 's_3']) await files.write(name, TEXT);
  await files.remove('s_1');
  await files.keepOnly(new Set(['s_3']));

  expect(readdirSync(join(dir, 'saved'))).toEqual(['s_3.sealed']);
  await expect(new SealedFiles(tempDir()).keepOnly(new Set())).resolves.toBeUndefined();
});
