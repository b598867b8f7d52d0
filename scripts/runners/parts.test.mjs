import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { tree, write } from '../testing/tree.mjs';
import { partOf } from './parts.mjs';

const FILES = {
  'lib/budget/budget.test.ts': '',
  'lib/budget/budget.ts': '',
  'e2e/budget.spec.ts': '',
  'e2e/wall.spec.ts': '',
};

/** Runs git as somebody, whatever this machine has set. @returns its answer */
function git(root, ...args) {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main'];
  return spawnSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).stdout.trim();
}

describe('which part of the tests runs', () => {
  it('everything, when nothing is said', () => {
    expect(partOf(tree(FILES), [])).toEqual({ whole: true, unit: [], stories: [] });
  });

  it('the test files and the stories whose path has the pattern', () => {
    const root = tree(FILES);
    expect(partOf(root, ['budget'])).toEqual({ whole: false, unit: ['budget'], stories: ['e2e/budget.spec.ts'] });
    expect(partOf(root, ['wall'])).toEqual({ whole: false, unit: undefined, stories: ['e2e/wall.spec.ts'] });
    expect(partOf(root, ['lib/budget'])).toEqual({ whole: false, unit: ['lib/budget'], stories: undefined });
  });

  it('refuses a pattern that nothing has', () => {
    expect(() => partOf(tree(FILES), ['bugdet'])).toThrow('No test file has bugdet in its path.');
  });

  it('what changed since the branch left main, or since the last commit of main', () => {
    const root = tree(FILES);
    git(root, 'init');
    git(root, 'add', '.');
    git(root, 'commit', '-m', 'first');
    const first = git(root, 'rev-parse', 'HEAD');
    const changed = { whole: false, unit: ['--changed', first, '--passWithNoTests'], stories: undefined };
    expect(partOf(root, ['--changed'])).toEqual(changed);

    git(root, 'checkout', '-b', 'mine');
    write(root, { 'lib/budget/budget.ts': 'export {};' });
    git(root, 'commit', '-am', 'second');
    expect(partOf(root, ['--changed'])).toEqual(changed);
  });
});
