import { Deferred } from '@/lib/async/deferred';
import { repeat } from '@/lib/async/timers';
import { monotonicClock } from '@/lib/budget/clock';
import type { Upcoming } from './emitter';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Launcher } from 'chrome-launcher';
import puppeteer from 'puppeteer-core';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { endProcess, processStartTime } from './process-id';

export interface LaunchOptions {
  readonly chromePath: string;
  /** Made when missing, mode 0700. Kept where Chrome starts: a restarted server finds it by this. */
  readonly userDataDir: string;
  readonly headless: boolean;
  readonly noSandbox: boolean;
  /** CHROME_ARGS. */
  readonly extraArgs: readonly string[];
  /**
   * Debugging port; free a moment ago. Known before Chrome starts, so that it is closed to pages from the beginning.
   */
  readonly port: number;
  /** Port of the egress proxy for whatever has none of its own. */
  readonly floorPort: number;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** With them no page reaches a network but by the proxy, this computer included (security.md fact 2). */
export function floorArgs(floorPort: number): [string, string] {
  return [`--proxy-server=http://127.0.0.1:${floorPort}`, '--proxy-bypass-list=<-loopback>'];
}

export interface LaunchedChrome {
  readonly pid: number;
  /** With the pid it names this very process (BR5). */
  readonly startTime: string;
  readonly port: number;
  readonly cdpUrl: string;
}

/** Never `--remote-allow-origins`: it would let any page drive Chrome (security.md fact 5). */
const OUR_ARGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--mute-audio',
  '--window-size=1280,800',
  // Otherwise each context has one more renderer, for the suggestions below an address bar that is never shown
  // (docs/chrome-facts.md, Identity).
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
] as const;

/**
 * Starts Chrome detached from us, so that it outlives a crash of the server (F11). Throws BROWSER_DOWN with Chrome's
 * own last words and the likely cure (BR2).
 */
export async function launchChrome(budget: Budget, options: LaunchOptions): Promise<LaunchedChrome> {
  mkdirSync(options.userDataDir, { recursive: true, mode: 0o700 });
  const launcher = launcherOf(options);
  const starting = start(launcher);
  try {
    const { pid, port } = await budget.during('Chrome to start', () => starting);
    return { pid, port, startTime: processStartTime(pid) ?? '', cdpUrl: `http://127.0.0.1:${port}` };
  } catch (error) {
    const failure = launchError(options, error);
    void leaveNothing(launcher, starting, options.userDataDir);
    budget.check();
    throw failure;
  }
}

/**
 * Cleans up after a failed launch: neither a Chrome that comes up after its caller went away, or never answers, nor its
 * profile may stay behind (F29). Never rejects.
 */
async function leaveNothing(launcher: Launcher, starting: Promise<unknown>, userDataDir: string): Promise<void> {
  const end = (): void => {
    const pid = launcher.chromeProcess?.pid;
    if (pid !== undefined) endProcess(pid);
  };
  end();
  await starting.catch(() => undefined);
  end();
  const { chromeProcess } = launcher;
  if (chromeProcess && chromeProcess.exitCode === null && chromeProcess.signalCode === null)
    await once(chromeProcess, 'exit').catch(() => undefined);
  // What cannot be removed now, the next start of the server removes.
  await removeProfile(userDataDir).catch(() => undefined);
}

/** Its helpers may write there for a moment after Chrome has ended. */
export function removeProfile(userDataDir: string): Promise<void> {
  return rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * How often the launcher looks whether Chrome answers, and how often it may, milliseconds and times: nine seconds
 * together (F29).
 */
const POLL_MS = 50;
const POLLS = 180;

function launcherOf(options: LaunchOptions): Launcher {
  return new Launcher({
    chromePath: options.chromePath,
    userDataDir: options.userDataDir,
    chromeFlags: chromeArgs(options),
    port: options.port,
    envVars: { ...options.environment },
    ignoreDefaultFlags: true,
    handleSIGINT: false,
    logLevel: 'silent',
    connectionPollInterval: POLL_MS,
    maxConnectionRetries: POLLS,
  });
}

async function start(launcher: Launcher): Promise<{ pid: number; port: number }> {
  const exited = watchExit(launcher);
  try {
    await Promise.race([launcher.launch(), exited.promise]);
  } finally {
    exited.stop();
  }
  const { pid, port, chromeProcess } = launcher;
  if (pid === undefined || port === undefined) throw new Error('Chrome has no process.');
  chromeProcess?.unref();
  return { pid, port };
}

/** The launcher itself goes on asking the port of a Chrome that has ended. */
function watchExit(launcher: Launcher): Upcoming<never> {
  const ended = new Deferred<never>();
  const stop = repeat(monotonicClock, POLL_MS, () => {
    const { exitCode, signalCode } = launcher.chromeProcess ?? {};
    if (typeof exitCode === 'number' || typeof signalCode === 'string')
      ended.reject(new Error(`it ended with ${signalCode ?? `code ${exitCode}`}`));
  });
  return { promise: ended.promise, stop };
}

/**
 * Defaults of puppeteer that we leave out: the first lets a page that calls `pushState` in a loop stop Chrome for every
 * session (cdp-facts); the launcher and our clients see to the others.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '--disable-ipc-flooding-protection',
  '--remote-debugging-port',
  '--user-data-dir',
  '--hide-scrollbars',
]);

/** The flags, from puppeteer's well-kept list and ours. The port and the profile are added by the launcher. */
function chromeArgs(options: Pick<LaunchOptions, 'headless' | 'noSandbox' | 'extraArgs' | 'floorPort'>): string[] {
  const base = puppeteer.defaultArgs({
    headless: options.headless,
    args: [...OUR_ARGS, ...floorArgs(options.floorPort), ...options.extraArgs],
  });
  // The launcher adds the start page; Chrome refuses two.
  const args = base.filter((arg) => arg.startsWith('--') && !LEFT_OUT.has(arg.split('=')[0] ?? arg));
  return options.noSandbox ? [...args, '--no-sandbox'] : args;
}

type LaunchCure = 'libraryCure' | 'sandboxCure' | 'displayCure' | 'profileCure' | 'portCure' | 'diskCure';

const CURES: readonly (readonly [pattern: RegExp, cure: LaunchCure])[] = [
  [/error while loading shared libraries: (\S+)/, 'libraryCure'],
  [/no usable sandbox|running as root without --no-sandbox/i, 'sandboxCure'],
  [/missing x server|cannot open display|unable to open x display/i, 'displayCure'],
  [/profile appears to be in use|process_singleton|SingletonLock/i, 'profileCure'],
  [/address already in use|bind\(\) failed/i, 'portCure'],
  [/no space left on device/i, 'diskCure'],
];

function launchError(options: LaunchOptions, error: unknown): WheelhouseError {
  const output = lastLines(path.join(options.userDataDir, 'chrome-err.log'));
  const cure = CURES.find(([pattern]) => pattern.test(output))?.[1];
  return new WheelhouseError(
    'BROWSER_DOWN',
    { code: 'chromeNotStarted', path: options.chromePath, output: output.split('\n').at(-1) || messageOf(error) },
    {
      hint: { code: cure ?? 'launchOutputCure' },
      details: { output },
      cause: error,
    },
  );
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-12).join('\n');
  } catch {
    // It ended before it wrote anything.
    return '';
  }
}
