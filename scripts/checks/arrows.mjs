/** Checks that imports follow the arrows of layers.mjs. Type-only imports follow the same arrows. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { filesUnder } from '../setup/files.mjs';
import { cyclesOf } from './cycles.mjs';
import { importsOf } from './imports.mjs';
import { APART, NO_NODE, OWNERS, PACKAGES, LAYERS, isTest, layerOf } from './layers.mjs';

const DIRS = ['app', 'bin', 'components', 'lib', 'server'];
const OUTSIDE_PRODUCT = ['bench', 'e2e', 'scripts'];

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * The folder inside a layer that a path is in, for example `server/features/stuck`; undefined for the layer's own
 * files.
 */
const folderOf = (path) => (path.split('/').length > 3 ? path.split('/').slice(0, 3).join('/') : undefined);

function ownProblem(file, { to }) {
  const from = layerOf(file);
  const toLayer = layerOf(to);
  if (isTest(file) && from.startsWith('server/')) return undefined;
  if (!isTest(file) && (isTest(`${to}.ts`) || OUTSIDE_PRODUCT.includes(toLayer)))
    return 'product code does not import tests or their helpers';
  const apart = folderOf(file) !== undefined && folderOf(to) !== undefined && folderOf(file) !== folderOf(to);
  if (toLayer === from && apart && APART[from]) return APART[from];
  if (toLayer === from || LAYERS[from].includes(toLayer)) return undefined;
  return `${from} may import only ${[from, ...LAYERS[from]].join(', ')}`;
}

function packageProblem(file, { to, typeOnly }, devPackages) {
  const from = layerOf(file);
  if (isBuiltin(to)) return NO_NODE.includes(from) ? `${from} must run in a browser: no Node modules` : undefined;
  const name = packageOf(to);
  if (PACKAGES[from] && !PACKAGES[from].includes(name))
    return `${from} may import only these packages: ${PACKAGES[from].join(', ')}`;
  if (OWNERS[name] && !OWNERS[name].includes(from)) return `${name} belongs to ${OWNERS[name].join(', ')}`;
  return devPackages.has(name) && !typeOnly
    ? `${name} is a development package: only its types may be imported`
    : undefined;
}

function problemOf(file, one, devPackages) {
  if (!(layerOf(file) in LAYERS) && !isTest(file))
    return `${layerOf(file)} is not in the table of scripts/checks/layers.mjs`;
  if (one.own) return ownProblem(file, one);
  return isTest(file) ? undefined : packageProblem(file, one, devPackages);
}

/** The file that an import resolves to: as written (a style sheet), with an extension, or the index of a folder. */
function resolveFile(to, files) {
  return [to, `${to}.ts`, `${to}.tsx`, `${to}/index.ts`, `${to}/index.tsx`].find((path) => files.has(path));
}

/** @returns {string[]} one line for each import or cycle that is not allowed */
export function arrowProblems(root) {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const devPackages = new Set(Object.keys(devDependencies));
  const files = new Set(DIRS.flatMap((dir) => filesUnder(root, dir)).filter((file) => /\.tsx?$/.test(file)));
  const graph = new Map();
  const problems = [];
  for (const file of files) {
    const imports = importsOf(root, file);
    graph.set(
      file,
      imports
        .filter(({ own }) => own)
        .map(({ to }) => resolveFile(to, files))
        .filter(Boolean),
    );
    for (const one of imports) {
      const problem = problemOf(file, one, devPackages);
      if (problem) problems.push(`${file}:${one.line} imports ${one.to}: ${problem}`);
    }
  }
  return [...problems, ...cyclesOf(graph).map((cycle) => `cycle: ${[...cycle, cycle[0]].join(' -> ')}`)];
}
