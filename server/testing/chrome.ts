import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Launcher } from 'chrome-launcher';
import { NO_SPARE, NO_WINDOW } from './chrome-args';

export interface TestChrome {
  /** Browser WebSocket of the DevTools protocol. */
  readonly wsUrl: string;
  readonly process: ChildProcess;
  /** Ends Chrome and removes its profile. */
  close(): Promise<void>;
}

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  NO_WINDOW,
  `${NO_SPARE},WebUIOmniboxPopup,WebUIOmniboxAimPopup`,
];

/**
 * A real Chrome with a fresh profile, for tests and benchmarks only. Throws when none is installed or it does not
 * start.
 */
export async function launchTestChrome(extraFlags: readonly string[] = []): Promise<TestChrome> {
  const binary = process.env['WHEELHOUSE_TEST_CHROME'] || Launcher.getInstallations()[0];
  if (binary === undefined) throw new Error('These tests need Chrome or Chromium; none was found.');
  const profile = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'));
  const child = spawn(binary, [...FLAGS, ...extraFlags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // A test run that crashes leaves no Chrome behind.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const close = async (): Promise<void> => {
    kill();
    await exited;
    process.off('exit', kill);
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    return { wsUrl: await devToolsUrl(child), process: child, close };
  } catch (error) {
    await close();
    throw error;
  }
}

let shared: Promise<TestChrome> | undefined;

/**
 * The one Chrome of all files of a worker that only need contexts of their own in it: it runs until the worker ends,
 * and `close` leaves it running. For what kills, stops or counts a whole Chrome there is `launchTestChrome`.
 */
export async function sharedTestChrome(): Promise<TestChrome> {
  shared ??= launchTestChrome();
  return { ...(await shared), close: () => Promise.resolve() };
}

/** Chrome prints its address once, on stderr. */
async function devToolsUrl(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Chrome was started without a stderr pipe.');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^DevTools listening on (ws:\/\/\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      child.stderr.resume();
      return url;
    }
    said.push(line);
  }
  throw new Error(`Chrome ended before it could be used: ${said.slice(-5).join(' | ')}`);
}
