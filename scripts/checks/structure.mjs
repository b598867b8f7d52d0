/** Structure rules that no linter has. Each finds text, so each names the line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder } from '../setup/files.mjs';
import { retiredWordProblems } from './retired-words.mjs';
import { ruleProblems } from './rules.mjs';

const CODE = ['app', 'bench', 'bin', 'components', 'e2e', 'lib', 'scripts', 'server'];

/** Which files a rule checks, what it refuses, and why. */
const TEXT_RULES = [
  {
    name: 'no silenced checks',
    where: /\.(m?[jt]s|tsx)$/,
    refuse:
      /(\/\/|\/\*)\s*((oxlint|eslint)-(disable|enable)|@ts-(ignore|expect-error|nocheck)|v8 ignore|istanbul ignore)/,
    why: 'mend the code instead of silencing the check',
  },
  {
    name: 'no server actions',
    where: /^(app|components)\//,
    refuse: /^\s*['"]use server['"]/,
    why: 'pages change the server through its API and socket only (T10)',
  },
  {
    name: 'no focused or skipped tests',
    where: /(\.test|\.spec)\.(m?ts|tsx|mjs)$/,
    refuse: /\b(it|test|describe)(\.describe)?\.(only|skip|fixme|todo)\(/,
    why: 'every test runs',
  },
  {
    name: 'rights and things at the gate',
    where: /^server\/doors\/(?!things\.ts$)(?!.*\.test\.ts$)(?!.*\/testing\/)/,
    refuse:
      /\/access\/may'|\.may\(|\bdemandOwn\(|\.require\(|\bgrantsIn\(|\brights\.\w+\.has\(|\b(hub|browsers)\.get\(|\.findTab\(/,
    why: 'a route or an event declares grant and thing; server/doors/things.ts asks for the right and finds the thing (AU3)',
  },
];

function textProblems(root, file) {
  const rules = TEXT_RULES.filter(({ where }) => where.test(file));
  if (rules.length === 0) return [];
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    rules.filter(({ refuse }) => refuse.test(line)).map(({ why }) => `${file}:${index + 1} ${line.trim()}: ${why}`),
  );
}

function routeProblems(files) {
  const routes = files.filter((file) => /^app\/(.*\/)?route\.[jt]sx?$/.test(file));
  return routes.map((file) => `${file}: app has no route handlers, the server signs in before Next runs (T10)`);
}

/** Whether a package that is required from `from` is in the lock, looked up as Node does. */
function isLocked(packages, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`]) return true;
    if (place === '') return false;
  }
}

/**
 * Problems of package-lock.json: `npm ci` refuses a lock without the binaries of other platforms, and npm leaves them
 * out when the registry lacks them.
 * @param {{packages: object}} lock
 */
export function lockProblems(lock) {
  const problems = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (/^https?:/.test(entry.resolved || ''))
      problems.push(
        `package-lock.json: ${place} names a registry host: npm install with omit-lockfile-registry-resolved`,
      );
    for (const name of Object.keys(entry.optionalDependencies || {})) {
      if (!isLocked(lock.packages, place, name))
        problems.push(
          `package-lock.json: ${place} lacks its optional ${name}, so \`npm ci\` fails: choose a version whose every platform is in the registry`,
        );
    }
  }
  return problems;
}

/** @returns {string[]} one line for each breach */
export function structureProblems(root) {
  const files = CODE.flatMap((dir) => filesUnder(root, dir));
  const lockFile = join(root, 'package-lock.json');
  const lock = existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')) : { packages: {} };
  return [
    ...files.flatMap((file) => [...textProblems(root, file), ...retiredWordProblems(root, file)]),
    ...routeProblems(files),
    ...lockProblems(lock),
    ...ruleProblems(root, files),
  ];
}
