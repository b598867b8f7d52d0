import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = path.join(import.meta.dirname, '../..');
/** Under node_modules, so that packages are found from there and no check takes it for source. */
const FOLDER = path.join(ROOT, 'node_modules/.cache/test-programs');
const built = new Map<string, string>();

/**
 * A TypeScript program of ours as one file for Node, as it is delivered: its start costs a quarter of one through tsx.
 * Built once a worker.
 * @param file its path from the root of the project
 * @returns the absolute path of the built file
 */
export function bundledProgram(file: string): string {
  const known = built.get(file);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [path.join(ROOT, file)],
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const target = path.join(FOLDER, `${file.replace(/\W/g, '-')}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  // Several workers may build it at once: each puts it in its place whole.
  writeFileSync(`${target}.${process.pid}`, outputFiles[0]?.contents ?? '');
  renameSync(`${target}.${process.pid}`, target);
  built.set(file, target);
  return target;
}
