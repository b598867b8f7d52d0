import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The environment of `ps`. */
const PS_ENV = { PATH: '/usr/bin:/bin', NODE_ENV: 'production' } as const;

/**
 * When a process started, as text that differs for another process with the same pid; undefined when there is none.
 * Source: field 22 of /proc/<pid>/stat on Linux, `ps -o lstart=` elsewhere.
 */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return (
        execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: PS_ENV }).trim() || undefined
      );
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // No such process.
    return undefined;
  }
}

/**
 * The command line of a process, arguments separated by NUL or blank; empty when there is no such process or the system
 * does not tell. Source: /proc/<pid>/cmdline on Linux, `ps -o command=` elsewhere.
 */
export function commandOf(pid: number): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', env: PS_ENV });
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // No such process.
    return '';
  }
}

/**
 * The process group of a process, as its leader's pid; undefined when there is no such process or the system does not
 * tell. Source: field 5 of /proc/<pid>/stat.
 */
export function groupOfProcess(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    // The process does not exist, or this is not Linux.
    return undefined;
  }
}

/**
 * The pid of the Chrome that runs on our profile, whichever process started it. Reads the launcher's pid file and
 * checks that process's command line.
 */
export function chromeOn(userDataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(userDataDir, 'chrome.pid'), 'utf8'));
    // Compares only the folder's name, which is random, because the data directory may have moved.
    const command = pid > 0 ? commandOf(pid) : '';
    return command.includes('--user-data-dir=') && command.includes(path.basename(userDataDir)) ? pid : undefined;
  } catch {
    // No Chrome was started there.
    return undefined;
  }
}

/** Resumes all processes of a group that this server or an earlier one stopped. */
export function resumeProcessGroup(leader: number): void {
  if (process.platform === 'win32') return;
  try {
    process.kill(-leader, 'SIGCONT');
  } catch {
    // The group has ended.
  }
}

const LOOK_EVERY_MS = 50;

/**
 * Waits at most `patienceMs` milliseconds for this process to end, then ends its process group. Safe when the pid was
 * reused.
 */
export async function awaitExit(pid: number, startTime: string, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_EVERY_MS) {
    if (processStartTime(pid) !== startTime) return;
    await pause(LOOK_EVERY_MS);
  }
  endProcess(pid);
}

/** Ends a process group by its leader, as a detached Chrome with all its children. */
export function endProcess(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process ended a moment ago.
  }
}
