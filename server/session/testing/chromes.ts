import { readdirSync, readFileSync } from 'node:fs';
import { processStartTime } from '@/server/browser/process-id';
import type { BrowserRecord } from '@/server/store/browsers';
import type { TestServer } from '@/server/testing/server';

/** The process of a server's Chrome. */
export interface ChromeProcess {
  readonly id: string;
  readonly pid: number;
  readonly started: string;
  readonly profile: string;
}

/** The Chromes that a server has launched and not lost. */
export async function chromesOf({ running }: TestServer): Promise<ChromeProcess[]> {
  const records = await running.services.store.browsers.listOpen(running.services.access.owner.workspace);
  return records.filter(({ origin }) => origin === 'launched').map(runningOf);
}

/** The server's first launched Chrome. Throws Error without one. */
export async function chromeOf(server: TestServer): Promise<ChromeProcess> {
  const [chrome] = await chromesOf(server);
  if (!chrome) throw new Error('The server has no Chrome.');
  return chrome;
}

const runningOf = ({ id, pid, processStarted, userDataDir }: BrowserRecord): ChromeProcess => ({
  id,
  pid: Number(pid),
  started: processStarted ?? '',
  profile: userDataDir ?? '',
});

export const lives = ({ pid, started }: Pick<ChromeProcess, 'pid' | 'started'>): boolean =>
  processStartTime(pid) === started;

/**
 * All running processes of a Chrome: those of its process group, or with its profile on the command line. Linux only.
 */
export function processesOf({ pid, profile }: ChromeProcess): Pick<ChromeProcess, 'pid' | 'started'>[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number);
  return pids
    .filter((one) => groupOf(one) === pid || read(one, 'cmdline').includes(profile))
    .map((one) => ({ pid: one, started: processStartTime(one) ?? '' }));
}

function groupOf(pid: number): number {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has just ended.
    return '';
  }
}
