/** Runs one test runner to its end, or to its time limit, and keeps its output. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { ROOT } from '../setup/root.mjs';
import { NONE } from './counts.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */
/** @typedef {{child: import('node:child_process').ChildProcess, name: string, output: string}} Running */

/** @type {Set<Running>} */
const running = new Set();

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // it has just ended by itself
  }
}

/**
 * The output so far of each runner under way.
 * @returns {string[]}
 */
export function runnersSaid() {
  return [...running].map(({ output }) => output);
}

/**
 * Ends every runner with the processes that it started.
 * @returns {{name: string, output: string}[]} the output of each so far
 */
export function endRunners() {
  const ended = [...running];
  running.clear();
  for (const { child } of ended) endGroup(child);
  return ended;
}

/**
 * Runs a test runner as the leader of a process group, so that at its limit its browsers and servers end with it.
 * @param {{name: string, args: string[], env: object, limitMs: number, live: boolean}} options args: for Node; live:
 * whether its output is shown as it comes
 * @returns {Promise<{code: number, output: string, late: boolean}>}
 */
function watch({ name, args, env, limitMs, live }) {
  return new Promise((resolve) => {
    const detached = process.platform !== 'win32';
    const child = spawn(process.execPath, args, { cwd: ROOT, env, detached, stdio: ['ignore', 'pipe', 'pipe'] });
    const entry = { child, name, output: '' };
    running.add(entry);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, limitMs);
    const keep = (stream) => (chunk) => {
      entry.output += chunk;
      if (live) stream.write(chunk);
    };
    child.stdout.on('data', keep(process.stdout));
    child.stderr.on('data', keep(process.stderr));
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(entry);
      resolve({ code: code === null ? 1 : code, output: entry.output, late });
    });
  });
}

/**
 * @param {{name: string, args: string[], env: object, limitMs: number, live: boolean, report: string,
 *   count: (report: object) => Counts, retried: (report: object) => string[]}} runner report: the file its JSON report
 *   goes to
 * @returns {Promise<{counts: Counts, retried: string[], output: string, problem: string | undefined}>} problem: it
 *   failed in another way than by a failing test
 */
export async function runRunner(runner) {
  rmSync(runner.report, { force: true });
  const { code, output, late } = await watch(runner);
  const failed = (problem) => ({ counts: NONE, retried: [], output, problem });
  if (late) return failed(`not finished after ${runner.limitMs / 60_000} minutes`);
  if (!existsSync(runner.report)) return failed(`ended with code ${code} and without a report`);
  const report = JSON.parse(readFileSync(runner.report, 'utf8'));
  const counts = runner.count(report);
  const problem = code !== 0 && counts.failed === 0 ? `ended with code ${code} though no test failed` : undefined;
  return { counts, retried: runner.retried(report), output, problem };
}
