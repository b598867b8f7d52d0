/** Finds a Chrome before anything is built, and installs one where that is possible. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall, thisFamily } from './apt.mjs';
import { SetupError, say } from './say.mjs';

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
  'brave',
  'chromium',
  'chromium-browser',
];
const MAC_APPS = ['Google Chrome', 'Microsoft Edge', 'Brave Browser', 'Chromium'];
const WINDOWS_PLACES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
  'Chromium\\Application\\chrome.exe',
];

/** Every path where a Chrome may be on this platform, best first. */
export function chromePlaces(platform, env) {
  if (platform === 'darwin') {
    const folders = ['/Applications', join(env.HOME || '/', 'Applications')];
    return MAC_APPS.flatMap((app) => folders.map((folder) => `${folder}/${app}.app/Contents/MacOS/${app}`));
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean);
    return WINDOWS_PLACES.flatMap((place) => folders.map((folder) => `${folder}\\${place}`));
  }
  const folders = (env.PATH || '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(error.code)) return false;
    throw error;
  }
}

/** Whether a program is a real browser: Ubuntu's /usr/bin/chromium-browser may be a stub that only asks for a snap. */
function answers(file) {
  if (process.platform !== 'linux') return true;
  try {
    return /\d+\./.test(
      execFileSync(file, ['--version'], { timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }),
    );
  } catch {
    return false; // any failure means the same: this is not a Chrome that starts
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} path of a Chrome, Edge, Brave or Chromium that starts
 * @throws SetupError when CHROME_PATH is set but names no program
 */
export function findChrome(env = process.env) {
  if (env.CHROME_PATH) {
    if (isProgram(env.CHROME_PATH)) return env.CHROME_PATH;
    throw new SetupError(
      `CHROME_PATH is set to "${env.CHROME_PATH}", which is not a program: set it to the path of Chrome, Edge, Brave or Chromium, or unset it to have one found.`,
    );
  }
  return chromePlaces(process.platform, env).find((place) => isProgram(place) && answers(place));
}

/** One sentence on how to install a Chrome here. */
export function chromeCure(platform, family) {
  const how =
    family === 'debian'
      ? 'run `apt-get install -y chromium` as root'
      : family === 'ubuntu'
        ? 'install Google Chrome with `wget https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb && sudo apt-get install -y ./google-chrome-stable_current_amd64.deb`'
        : platform === 'linux'
          ? 'install Chromium with your package manager (Fedora: `dnf install chromium`, Alpine: `apk add chromium`, Arch: `pacman -S chromium`)'
          : platform === 'darwin'
            ? 'install Google Chrome from https://www.google.com/chrome or with `brew install --cask google-chrome`'
            : 'install Google Chrome from https://www.google.com/chrome';
  return `No Chrome, Edge, Brave or Chromium was found: ${how}, or set CHROME_PATH to the program if you have one elsewhere, and run the command again.`;
}

/**
 * @returns {Promise<string>} path of a Chrome, installed if necessary
 * @throws SetupError with the cure
 */
export async function ensureChrome() {
  const found = findChrome();
  if (found) return found;
  if (mayInstall()) {
    const { ok, output } = await aptInstall(
      ['chromium', 'fonts-liberation', 'fonts-wqy-zenhei'],
      'No Chrome was found',
    );
    const installed = findChrome();
    if (installed) return installed;
    if (!ok) say(`apt-get could not: ${output.trim().split('\n').pop()}`);
  }
  throw new SetupError(chromeCure(process.platform, thisFamily()));
}
