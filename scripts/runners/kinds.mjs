/** Sorts test files by what they import: those that start a Chrome or a server share workers of their own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from '../checks/imports.mjs';
import { filesUnder } from '../setup/files.mjs';

const TESTED = ['app', 'bench', 'bin', 'components', 'e2e', 'lib', 'scripts', 'server'];
const TEST = /\.test\.(ts|tsx|mjs)$/;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts'];
/** Files that start programs: every test that imports one of them, directly or not, runs beside a Chrome. */
const STARTS = new Set(['server/serve.ts', 'server/testing/chrome.ts', 'server/browser/launch.ts']);
const WITH_DOM = /^\/\/ @vitest-environment jsdom/;

/** @param {string} root @returns {string[]} paths of all test files from the root */
function testFiles(root) {
  return TESTED.flatMap((dir) => filesUnder(root, dir)).filter((file) => TEST.test(file));
}

/** Follows imports and remembers the results: many tests reach the same files. */
function reaching(root) {
  const known = new Map();
  const fileOf = (path) =>
    ENDINGS.map((ending) => `${path}${ending}`).find((file) => /\.\w+$/.test(file) && existsSync(join(root, file)));
  const importsFrom = (file) => {
    if (known.has(file)) return known.get(file);
    const own = importsOf(root, file).filter((one) => one.own && !one.typeOnly);
    const files = own.map(({ to }) => fileOf(to)).filter((to) => to !== undefined && /\.(tsx?|mjs)$/.test(to));
    known.set(file, files);
    return files;
  };
  return (test) => {
    const seen = new Set([test]);
    for (const file of seen) {
      if (STARTS.has(file)) return true;
      for (const to of importsFrom(file)) seen.add(to);
    }
    return false;
  };
}

/**
 * @param {string} root the project's folder
 * @returns {{quick: string[], dom: string[], chrome: string[]}} every test file, once. quick: neither Chrome nor
 *   server; dom: in jsdom
 */
export function testKinds(root) {
  const startsPrograms = reaching(root);
  const kinds = { quick: [], dom: [], chrome: [] };
  for (const file of testFiles(root)) {
    const kind = WITH_DOM.test(readFileSync(join(root, file), 'utf8'))
      ? 'dom'
      : startsPrograms(file)
        ? 'chrome'
        : 'quick';
    kinds[kind].push(file);
  }
  return kinds;
}

/** @returns {string[]} the test files that are larger in `npm run proof`: those that import `sized` */
export function sizedTests(root) {
  return testFiles(root).filter((file) => importsOf(root, file).some(({ to }) => to === 'server/testing/sized'));
}
