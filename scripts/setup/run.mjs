/** Child processes of the set-up: npm, apt-get and Node itself. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Runs a program to its end.
 * @param {string} file
 * @param {string[]} args
 * @param {{cwd: string, env?: object, quiet?: boolean, shell?: boolean}} options quiet: returns the output instead of
 * printing it
 * @returns {Promise<{code: number, output: string}>} output is empty unless quiet
 */
export function run(file, args, { cwd, env = process.env, quiet = false, shell = false }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env,
      shell,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    if (quiet) {
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
    }
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code === null ? 1 : code, output }));
  });
}

/**
 * Runs npm: the one that started us if there is one, else the one on the PATH.
 * Unsets NODE_ENV, so that installing includes the development packages, which building needs.
 */
export function runNpm(args, options) {
  const env = { ...process.env };
  delete env.NODE_ENV;
  const own = env.npm_execpath;
  if (own && /^npm(-cli)?\.(c?js|mjs)$/.test(basename(own)))
    return run(process.execPath, [own, ...args], { ...options, env });
  const windows = process.platform === 'win32';
  return run(windows ? 'npm.cmd' : 'npm', args, { ...options, env, shell: windows });
}

/** Writes a failed step's whole output into a file, so that one sentence is enough on the screen. */
export function keepLog(file, output) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, output);
}
