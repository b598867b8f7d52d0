/**
 * Checks that node_modules has the packages of package-lock.json. npm writes node_modules/.package-lock.json as the
 * last step of every install, so comparing the two finds a missing, stale or interrupted install, and accepts one made
 * by hand.
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
 * @param {{dev: boolean}} options dev: include packages for building and testing
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

/**
 * Installs what is missing or stale.
 * @throws SetupError when that fails
 */
export async function ensureDependencies(root, { dev }) {
  await ensure(root, { dev, what: 'dependencies' });
}

/**
 * Installs the packages whose pages the journeys of e2e/real use; the product never needs them.
 * @throws SetupError
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
  // Install scripts of third-party packages do not run; ensureNative builds the one module that needs it.
  const { code } = await runNpm(
    ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root },
  );
  if (code !== 0)
    throw new SetupError(
      `The ${what} could not be installed, for the reason npm gives above: check the network (and the proxy, if there is one) and run the command again.`,
    );
}
