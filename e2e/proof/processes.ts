import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What Linux tells about the processes of a data directory. */

/** The main processes of Chromes whose profile is in the directory. */
export function chromesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (Number.isNaN(pid)) return false;
      const words = wordsOf(pid);
      return (
        words.some((word) => word.startsWith(`--user-data-dir=${dataDir}/`)) &&
        !words.some((word) => word.startsWith('--type='))
      );
    });
}

/** The words of a process's command line; none for one that has ended. */
function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // The process ended since it was listed.
    return [];
  }
}

/** How many connections to a port of this machine belong to other processes than `pid`. */
export function strangersOn(port: number, pid: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const before = socketsOf(pid);
  const lines = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const open = lines.filter(([, , to, state]) => to === remote && state === ESTABLISHED).map((line) => line[9]);
  const after = socketsOf(pid);
  return open.filter((inode) => inode !== undefined && !before.has(inode) && !after.has(inode)).length;
}

const ESTABLISHED = '01';

/** The inodes of the sockets that a process has open. */
function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(readdirSync(folder).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`))?.[1] ?? ''));
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // The socket was closed since it was listed.
    return '';
  }
}

/** The DevTools port that a Chrome was started with. */
export function devToolsPort(pid: number): number {
  return Number(
    wordsOf(pid)
      .find((word) => word.startsWith('--remote-debugging-port='))
      ?.split('=')[1],
  );
}

/** Whether a process is stopped by SIGSTOP. */
export function stopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
