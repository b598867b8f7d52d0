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
  /** Created with mode 0700 when missing. A restarted server finds Chrome by this folder. */
  readonly userDataDir: string;
  readonly headless: boolean;
  readonly noSandbox: boolean;
  /** CHROME_ARGS. */
  readonly extraArgs: readonly string[];
  /**
   * The debugging port, free a moment ago. Chosen before Chrome starts, so that the proxy denies it to pages from the
   * start.
   */
  readonly port: number;
  /** The port of the proxy for contexts without their own. */
  readonly floorPort: number;
  /** The whole environment of Chrome. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Flags that force all page traffic through the proxy, loopback included (docs/chrome-facts.md, Emulation and network).
 */
export function floorArgs(floorPort: number): [string, string] {
  return [`--proxy-server=http://127.0.0.1:${floorPort}`, '--proxy-bypass-list=<-loopback>'];
}

export interface LaunchedChrome {
  readonly pid: number;
  /** Identifies this process together with the pid (BR5). */
  readonly startTime: string;
  readonly port: number;
  readonly cdpUrl: string;
}

/**
 * Excludes `--remote-allow-origins`, which would let any page drive Chrome (docs/chrome-facts.md, Emulation and
 * network).
 */
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
  // Otherwise each context has one more renderer for the suggestions of an address bar that is never shown
  // (docs/chrome-facts.md, Identity).
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
] as const;

/**
 * Starts Chrome detached, so that it survives a crash of the server (F11). Throws BROWSER_DOWN with Chrome's last
 * output and the likely remedy (BR2).
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
 * Cleans up after a failed launch: ends a Chrome that starts late or never answers and removes its profile (F29). Never
 * rejects.
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
  // The next start of the server removes what remains.
  await removeProfile(userDataDir).catch(() => undefined);
}

/** Removes a profile. Retries, because Chrome's helpers may write there briefly after its end. */
export function removeProfile(userDataDir: string): Promise<void> {
  return rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * The interval and number of the launcher's checks whether Chrome answers: nine seconds in total (F29). Milliseconds.
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

/** Rejects when Chrome exits, because the launcher itself would keep polling its port. */
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
 * Puppeteer defaults that we omit. The first lets a page that calls `pushState` in a loop stop Chrome for every session
 * (docs/chrome-facts.md, Processes); the launcher and our clients cover the others.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '--disable-ipc-flooding-protection',
  '--remote-debugging-port',
  '--user-data-dir',
  '--hide-scrollbars',
]);

/** Chrome's flags: puppeteer's defaults and ours. The launcher adds the port and the profile. */
function chromeArgs(options: Pick<LaunchOptions, 'headless' | 'noSandbox' | 'extraArgs' | 'floorPort'>): string[] {
  const base = puppeteer.defaultArgs({
    headless: options.headless,
    args: [...OUR_ARGS, ...floorArgs(options.floorPort), ...options.extraArgs],
  });
  // The launcher adds the start page, and Chrome refuses two.
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
    // Chrome ended before it wrote any output.
    return '';
  }
}
