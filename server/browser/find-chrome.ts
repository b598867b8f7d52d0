import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Launcher } from 'chrome-launcher';
import { WheelhouseError } from '@/lib/errors/error';

const run = promisify(execFile);

export interface Candidate {
  readonly name: string;
  readonly path: string;
  /** How it was found. */
  readonly source: 'setting' | 'os-default' | 'path' | 'known place' | 'installations';
  readonly usable: boolean;
  /** Why it was skipped or chosen. */
  readonly reason: string;
}

export interface Detection {
  readonly chosen: (Candidate & { version: string }) | null;
  readonly candidates: readonly Candidate[];
}

export interface FindOptions {
  /** CHROME_PATH: must exist when given. */
  readonly configured: string | undefined;
  readonly platform: NodeJS.Platform;
  /** PATH of the process. */
  readonly searchPath: string;
  /** The whole environment for the `--version` call. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Commands on PATH, in the order of BR1: Chrome, Edge, Brave, Chromium. */
const COMMANDS: readonly (readonly [name: string, command: string])[] = [
  ['Google Chrome', 'google-chrome-stable'],
  ['Google Chrome', 'google-chrome'],
  ['Microsoft Edge', 'microsoft-edge-stable'],
  ['Microsoft Edge', 'microsoft-edge'],
  ['Brave', 'brave-browser'],
  ['Chromium', 'chromium'],
  ['Chromium', 'chromium-browser'],
];

const MAC_APPS: readonly (readonly [name: string, file: string])[] = [
  ['Google Chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  ['Microsoft Edge', '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ['Brave', '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser'],
  ['Chromium', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
];

const WINDOWS_APPS: readonly (readonly [name: string, file: string])[] = [
  ['Google Chrome', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
  ['Google Chrome', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
  ['Microsoft Edge', 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'],
  ['Brave', 'C:\\Program Files\\BraveSoftware\\Brave-Browser\\Application\\brave.exe'],
  ['Chromium', 'C:\\Program Files\\Chromium\\Application\\chrome.exe'],
];

const CHROMIUM_DESKTOP = /(google-chrome|chromium|microsoft-edge|brave)/i;

/**
 * Finds Chrome without configuration and explains for each candidate why it was chosen or skipped (BR1). Throws
 * BAD_REQUEST when CHROME_PATH does not exist.
 */
export async function detectChrome(options: FindOptions): Promise<Detection> {
  const found = await listCandidates(options);
  const index = found.findIndex((candidate) => candidate.usable);
  const candidates = found.map((candidate, at) =>
    candidate.usable && at !== index ? { ...candidate, reason: 'another one came first' } : candidate,
  );
  const chosen = candidates[index];
  return { chosen: chosen ? { ...chosen, version: await versionOf(chosen.path, options) } : null, candidates };
}

async function listCandidates(options: FindOptions): Promise<Candidate[]> {
  if (options.configured !== undefined) return [configured(options.configured)];
  const preferred = await osDefault(options);
  const places = options.platform === 'linux' ? onPath(options.searchPath) : knownPlaces(options.platform);
  return unique([...preferred, ...places, ...installations()]);
}

function configured(file: string): Candidate {
  if (isExecutable(file))
    return { name: 'CHROME_PATH', path: file, source: 'setting', usable: true, reason: 'CHROME_PATH names it' };
  throw new WheelhouseError('BAD_REQUEST', `CHROME_PATH is "${file}", but there is no program there.`, {
    hint: 'Correct CHROME_PATH, or unset it to let Wheelhouse look by itself.',
  });
}

async function osDefault({ platform, searchPath }: FindOptions): Promise<Candidate[]> {
  if (platform !== 'linux') return [];
  try {
    const { stdout } = await run('xdg-settings', ['get', 'default-web-browser'], {
      timeout: 2_000,
      env: { PATH: searchPath, NODE_ENV: 'production' },
    });
    const desktop = stdout.trim();
    if (!CHROMIUM_DESKTOP.test(desktop)) return [];
    const match = onPath(searchPath).find(
      (candidate) => candidate.usable && desktop.includes(path.basename(candidate.path).replace(/-stable$/, '')),
    );
    return match ? [{ ...match, source: 'os-default', reason: 'it is the default browser here' }] : [];
  } catch {
    // Without a desktop there is no default browser.
    return [];
  }
}

function onPath(searchPath: string): Candidate[] {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return COMMANDS.map(([name, command]) => {
    const file = folders.map((folder) => path.join(folder, command)).find(isExecutable);
    if (file === undefined) return { name, path: command, source: 'path', usable: false, reason: 'not on PATH' };
    return { name, path: file, source: 'path', usable: true, reason: 'first one found on PATH' };
  });
}

function knownPlaces(platform: NodeJS.Platform): Candidate[] {
  return (platform === 'darwin' ? MAC_APPS : WINDOWS_APPS).map(([name, file]) => {
    const usable = isExecutable(file);
    return {
      name,
      path: file,
      source: 'known place',
      usable,
      reason: usable ? 'first one found' : 'not installed there',
    };
  });
}

function installations(): Candidate[] {
  try {
    return Launcher.getInstallations().map((file) => ({
      name: 'Chrome',
      path: file,
      source: 'installations',
      usable: isExecutable(file),
      reason: 'found among the installed programs',
    }));
  } catch {
    // The call throws when there is none.
    return [];
  }
}

function unique(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter((candidate) => !seen.has(candidate.path) && seen.add(candidate.path));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function versionOf(
  file: string,
  { searchPath, environment = { PATH: searchPath } }: FindOptions,
): Promise<string> {
  try {
    const { stdout } = await run(file, ['--version'], {
      timeout: 5_000,
      env: { NODE_ENV: 'production', ...environment },
    });
    return stdout.trim();
  } catch {
    return 'unknown version';
  }
}
