/** Selects the tests of `npm test`: all, those that match a pattern, or those that a change touches. */
import { spawnSync } from 'node:child_process';
import { filesUnder } from '../setup/files.mjs';
import { SetupError } from '../setup/say.mjs';

const TESTED = ['app', 'bench', 'bin', 'components', 'e2e', 'lib', 'scripts', 'server'];

/** @typedef {{whole: boolean, unit: string[] | undefined, stories: string[] | undefined}} Part
 *  unit, stories: arguments for vitest and Playwright; undefined where that runner has nothing to do */

function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The commit that a change is measured from: where the branch left main; on main itself its last commit. */
function changeBase(root) {
  const base = git(root, 'merge-base', 'main', 'HEAD');
  return base ?? 'HEAD';
}

/**
 * @param {string} root the project's folder
 * @param {string[]} args the arguments of `npm test --`: parts of paths, or `--changed`
 * @returns {Part}
 * @throws SetupError where no test matches
 */
export function partOf(root, args) {
  if (args.length === 0) return { whole: true, unit: [], stories: [] };
  if (args.includes('--changed')) {
    return { whole: false, unit: ['--changed', changeBase(root), '--passWithNoTests'], stories: undefined };
  }
  const files = TESTED.flatMap((dir) => filesUnder(root, dir));
  const matches = (file) => args.some((pattern) => file.includes(pattern));
  const units = files.filter((file) => /\.test\.(ts|tsx|mjs)$/.test(file) && matches(file));
  const stories = files.filter((file) => file.endsWith('.spec.ts') && matches(file));
  if (units.length + stories.length === 0) throw new SetupError(`No test file has ${args.join(' or ')} in its path.`);
  return {
    whole: false,
    unit: units.length > 0 ? args : undefined,
    stories: stories.length > 0 ? stories : undefined,
  };
}
