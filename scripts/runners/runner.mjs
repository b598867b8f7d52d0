/** Runs one test runner to its end, or to its time limit, showing its output and keeping it. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { ROOT } from '../setup/root.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // it has just ended by itself
  }
}

/**
 * The runner leads a process group of its own, so that at its limit the browsers and servers it started end with it.
 * @param {{args: string[], env: object, limitMs: number}} options args: for Node
 * @returns {Promise<{code: number, output: string, late: boolean}>}
 */
function watch({ args, env, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, limitMs);
    const stop = () => {
      endGroup(child);
      process.exit(130);
    };
    const show = (stream) => (chunk) => {
      output += chunk;
      stream.write(chunk);
    };
    child.stdout.on('data', show(process.stdout));
    child.stderr.on('data', show(process.stderr));
    process.once('SIGINT', stop).once('SIGTERM', stop);
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve({ code: code === null ? 1 : code, output, late });
    });
  });
}

/**
 * @param {{args: string[], env: object, limitMs: number, report: string, count: (report: object) => Counts}} runner
 *   report: the file its JSON report goes to
 * @returns {Promise<{counts: Counts, output: string, problem: string | undefined}>} problem: it failed in another way
 *   than by a failing test
 */
export async function runRunner(runner) {
  rmSync(runner.report, { force: true });
  const { code, output, late } = await watch(runner);
  if (late)
    return {
      counts: { passed: 0, failed: 0, skipped: 0 },
      output,
      problem: `not finished after ${runner.limitMs / 60_000} minutes`,
    };
  if (!existsSync(runner.report))
    return {
      counts: { passed: 0, failed: 0, skipped: 0 },
      output,
      problem: `ended with code ${code} and without a report`,
    };
  const counts = runner.count(JSON.parse(readFileSync(runner.report, 'utf8')));
  return {
    counts,
    output,
    problem: code !== 0 && counts.failed === 0 ? `ended with code ${code} though no test failed` : undefined,
  };
}
