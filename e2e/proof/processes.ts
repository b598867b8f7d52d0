import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of the processes of a data directory. */

/** The main processes of Chromes whose profile lies in there. */
export function chromesOf(dataDir: string): number[] {
  return readdirSync('/proc').map(Number).filter((pid) => {
    if (Number.isNaN(pid)) return false;
    const words = wordsOf(pid);
    return words.some((word) => word.startsWith(`--user-data-dir=${dataDir}/`)) && !words.some((word) => word.startsWith('--type='));
  });
}

/** The words of its command line; none for one that has ended and waits to be buried. */
function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has gone since it was listed.
    return [];
  }
}

/** Established connections to a port of this machine, seen from those who made them. */
export function connectionsTo(port: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ESTABLISHED = '01';
  return readFileSync('/proc/net/tcp', 'utf8').split('\n').filter((line) => {
    const [, , to, state] = line.trim().split(/\s+/);
    return to === remote && state === ESTABLISHED;
  }).length;
}

/** The DevTools port of a Chrome, which it writes down beside its profile. */
export function devToolsPort(pid: number): number {
  const profile = wordsOf(pid).find((word) => word.startsWith('--user-data-dir='))?.split('=')[1];
  return Number(readFileSync(`${profile}/DevToolsActivePort`, 'utf8').split('\n')[0]);
}
