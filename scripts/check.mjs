/**
 * `npm run check`: types, lint, structure rules, import arrows, format, dead code. One line each; the details only of
 * what fails.
 */
import { arrowProblems } from './checks/arrows.mjs';
import { structureProblems } from './checks/structure.mjs';
import { formatProblems } from './format.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { runMain } from './setup/say.mjs';

/**
 * The compiler and the linter are Go programs. Several threads check the same types several times, and a program that
 * ends in seconds needs no garbage collection: this halves their processor time, and the memory stays below 2 GB.
 */
const GO = { GOMAXPROCS: '1', GOGC: 'off' };
const env = { ...process.env, ...GO, NEXT_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0', NO_COLOR: '1' };

/**
 * Runs programs of node_modules one after the other, up to the first that fails.
 * @returns {Promise<string | undefined>} its output, or undefined
 */
async function programs(...commands) {
  for (const command of commands) {
    const { code, output } = await run(process.execPath, command, { cwd: ROOT, env, quiet: true });
    if (code !== 0) return output.trim() || `it ended with code ${code} and said nothing`;
  }
  return undefined;
}

const listed = (problems) => (problems.length === 0 ? undefined : problems.join('\n'));

/** By name: a function that returns the problems, or undefined. */
const CHECKS = {
  // Next writes the types of its routes, which a fresh clone lacks.
  types: () =>
    programs(
      ['node_modules/next/dist/bin/next', 'typegen'],
      ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.', '--singleThreaded'],
    ),
  lint: () => programs(['node_modules/oxlint/bin/oxlint', '--threads=1', '--type-aware', '--deny-warnings', '.']),
  structure: () => listed(structureProblems(ROOT)),
  arrows: () => listed(arrowProblems(ROOT)),
  format: () => formatProblems(),
  'dead code': () => programs(['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']),
};

/**
 * @param {(text: string) => void} write gets the lines
 * @returns {Promise<string[]>} the names of the checks that failed
 */
export async function runChecks(write) {
  const failed = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const began = performance.now();
    const problem = await check();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (problem === undefined) {
      write(`  ${name.padEnd(10)} ok  (${seconds} s)\n`);
      continue;
    }
    failed.push(name);
    write(`\n${problem}\n\n  ${name.padEnd(10)} FAILED  (${seconds} s)\n`);
  }
  return failed;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await runMain(async () => {
    const failed = await runChecks((text) => process.stdout.write(text));
    if (failed.length > 0) process.exitCode = 1;
  });
}
