/** Tells whether the build exists, is complete, and was made from the present sources. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder } from './files.mjs';

const SOURCE_DIRS = ['app', 'bin', 'components', 'lib', 'public', 'server'];
const SOURCE_FILES = ['package-lock.json', 'scripts/build.mjs', 'tsconfig.json'];
/**
 * Top-level files that Next reads (its configuration, instrumentation, …), and those that only tests and checks read.
 */
const TOP_FILE = /\.(ts|mjs)$/;
const NOT_BUILT = /\.d\.ts$|^\.|^(vitest|playwright|knip)\./;
const TEST = /\.test\.tsx?$/;
const STAMP = join('dist', 'build.json');
const SERVER = join('dist', 'server.mjs');
const BUILD_ID = join('.next', 'BUILD_ID');

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function sources(root) {
  const top = readdirSync(root).filter((name) => TOP_FILE.test(name) && !NOT_BUILT.test(name));
  const named = SOURCE_FILES.filter((file) => existsSync(join(root, file)));
  const inside = SOURCE_DIRS.flatMap((dir) => filesUnder(root, dir)).filter((file) => !TEST.test(file));
  return [...inside, ...top, ...named].sort();
}

/** One hash over the path and content of everything that goes into the build; tests do not. */
export function sourceHash(root) {
  const hash = createHash('sha256');
  for (const file of sources(root)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function parseStamp(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** @returns {'fresh' | 'missing' | 'broken' | 'stale'} */
export function buildState(root) {
  const stamp = readText(join(root, STAMP));
  const buildId = readText(join(root, BUILD_ID));
  if (stamp === undefined && buildId === undefined) return 'missing';
  if (stamp === undefined || buildId === undefined || !existsSync(join(root, SERVER))) return 'broken';
  const { hash, buildId: stampedId } = parseStamp(stamp);
  if (stampedId !== buildId) return 'broken';
  return hash === sourceHash(root) ? 'fresh' : 'stale';
}

/** Call it before anything is written: an interrupted build then counts as broken. */
export function clearStamp(root) {
  rmSync(join(root, STAMP), { force: true });
}

/**
 * Call it last.
 * @param {string} hash of the sources when the build began
 */
export function writeStamp(root, hash) {
  const buildId = readText(join(root, BUILD_ID));
  const temporary = join(root, `${STAMP}.${process.pid}`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(temporary, `${JSON.stringify({ hash, buildId })}\n`);
  renameSync(temporary, join(root, STAMP));
}
