import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as text that differs for another process with the same pid; undefined when there is none.
 * Source: field 22 of /proc/<pid>/stat on Linux, `ps -o lstart=` elsewhere.
 */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // No such process.
    return undefined;
  }
}
