/**
 * For vitest: puts all temporary files of a run into one folder, and removes it at the end together with the Chromes
 * that still run in it.
 */
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command line of a process (Linux); empty when it has just ended. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  }
}

/** Ends the Chromes whose profiles are in this folder, at any depth: shared ones live until their worker has ended. */
export function endChromes(folder) {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (commandOf(pid).includes(`--user-data-dir=${folder}/`)) process.kill(Number(pid), 'SIGKILL');
  }
}

/** @returns {() => Promise<void>} called when the run has ended */
export default function setup() {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'wh-run-'));
  process.env.TMPDIR = folder;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    endChromes(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  };
}
