/**
 * Are the packages of package-lock.json in node_modules? npm writes node_modules/.package-lock.json as the last act of
 * every install, so comparing the two finds a missing, stale or cut-short install, and accepts one made by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './run.mjs';
import { SetupError, say } from './say.mjs';

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * @param {{packages: object}} wanted package-lock.json
 * @param {{packages: object} | undefined} installed node_modules/.package-lock.json
 * @param {{dev: boolean}} options dev: the packages for building and testing count too
 * @returns {string[]} the places, e.g. `node_modules/next`, that are absent or of another version
 */
export function staleModules(wanted, installed, { dev }) {
  const present = installed && installed.packages ? installed.packages : {};
  return Object.keys(wanted.packages).filter((place) => {
    const entry = wanted.packages[place];
    if (place === '' || entry.optional || entry.link || (entry.dev && !dev)) return false;
    const found = present[place];
    return !found || found.version !== entry.version || found.integrity !== entry.integrity;
  });
}

/** Installs what is missing or stale. @throws SetupError when that fails */
export async function ensureDependencies(root, { dev }) {
  await ensure(root, { dev, what: 'dependencies' });
}

/**
 * The pages that the journeys of e2e/real are made on: packages of their own, which the product never needs. @throws
 * SetupError
 */
export async function ensureRealPages(root) {
  await ensure(join(root, 'e2e', 'real'), { dev: false, what: 'real pages for the tests' });
}

async function ensure(root, { dev, what }) {
  const wanted = readJson(join(root, 'package-lock.json'));
  if (!wanted)
    throw new SetupError(
      'package-lock.json is missing or damaged: restore it with `git checkout package-lock.json` and run the command again.',
    );
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (staleModules(wanted, installed, { dev }).length === 0) return;
  say(
    installed
      ? `The ${what} have changed: installing them anew (a minute or two)…`
      : `Installing the ${what} (a minute or two, only this once)…`,
  );
  // Install scripts of other people's packages do not run; the one that is needed is built by ensureNative.
  const { code } = await runNpm(
    ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root },
  );
  if (code !== 0)
    throw new SetupError(
      `The ${what} could not be installed, for the reason npm gives above: check the network (and the proxy, if there is one) and run the command again.`,
    );
}
