/** Installs system packages, only where that is safe to assume: as root on Debian or Ubuntu. */
import { readFileSync } from 'node:fs';
import { run } from './run.mjs';
import { say } from './say.mjs';

/**
 * @param {string} osRelease the text of /etc/os-release
 * @returns {'debian' | 'ubuntu' | undefined}
 */
export function debianFamily(osRelease) {
  const words = new Set();
  for (const line of osRelease.split('\n')) {
    const match = /^(ID|ID_LIKE)="?([^"]*)"?$/.exec(line.trim());
    if (match) match[2].split(/\s+/).forEach((word) => words.add(word));
  }
  if (words.has('ubuntu')) return 'ubuntu';
  return words.has('debian') ? 'debian' : undefined;
}

/** The family of this machine; undefined where there is no /etc/os-release. */
export function thisFamily() {
  if (process.platform !== 'linux') return undefined;
  try {
    return debianFamily(readFileSync('/etc/os-release', 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function mayInstall() {
  return typeof process.getuid === 'function' && process.getuid() === 0 && thisFamily() !== undefined;
}

/**
 * Installs packages with apt-get, and says so.
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function aptInstall(packages, why) {
  say(`${why}: installing ${packages.join(' ')} with apt-get (root on ${thisFamily()})…`);
  const options = { cwd: '/', quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  const update = await run('apt-get', [...lock, 'update'], options);
  const install = await run('apt-get', [...lock, 'install', '-y', '--no-install-recommends', ...packages], options);
  return { ok: install.code === 0, output: update.output + install.output };
}
