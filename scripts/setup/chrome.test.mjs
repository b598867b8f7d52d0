import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { debianFamily } from './apt.mjs';
import { chromeCure, chromePlaces, findChrome } from './chrome.mjs';

const REAL = '#!/bin/sh\necho Chromium 156.0.1\n';
const SNAP_STUB = '#!/bin/sh\necho "requires the chromium snap to be installed" >&2\nexit 1\n';

function folderOfPrograms(programs) {
  const folder = tree(programs);
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755);
  return folder;
}

describe.runIf(process.platform === 'linux')('[BR1] finding Chrome on Linux', () => {
  it.each(['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge', 'brave-browser'])(
    'finds %s on the PATH',
    (name) => {
      const folder = folderOfPrograms({ [name]: REAL });
      expect(findChrome({ PATH: folder })).toBe(join(folder, name));
    },
  );

  it('takes Chrome before Edge, Brave and Chromium, wherever they stand on the PATH', () => {
    const first = folderOfPrograms({ chromium: REAL, 'brave-browser': REAL, 'microsoft-edge': REAL });
    const second = folderOfPrograms({ 'google-chrome': REAL });
    expect(findChrome({ PATH: `${first}:${second}` })).toBe(join(second, 'google-chrome'));
  });

  it("passes over Ubuntu's stub, a folder, and a file that is no program", () => {
    const folder = folderOfPrograms({ 'chromium-browser': SNAP_STUB });
    const other = tree({ 'google-chrome/x': '', chromium: 'text' });
    expect(findChrome({ PATH: `${folder}:${other}` })).toBeUndefined();
  });

  it('takes CHROME_PATH before all', () => {
    const folder = folderOfPrograms({ 'google-chrome': REAL, 'my-chrome': REAL });
    expect(findChrome({ PATH: folder, CHROME_PATH: join(folder, 'my-chrome') })).toBe(join(folder, 'my-chrome'));
  });

  it('says what is wrong with a CHROME_PATH that names nothing', () => {
    expect(() => findChrome({ PATH: '', CHROME_PATH: '/nowhere/chrome' })).toThrow(
      'CHROME_PATH is set to "/nowhere/chrome", which is not a program: set it to the path of Chrome, Edge, Brave or Chromium, or unset it to have one found.',
    );
  });
});

describe('[BR1] places and cures', () => {
  it('looks in the applications folders of a Mac and the program folders of Windows', () => {
    expect(chromePlaces('darwin', { HOME: '/Users/ann' }).slice(0, 2)).toEqual([
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Users/ann/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ]);
    expect(chromePlaces('win32', { PROGRAMFILES: String.raw`C:\Program Files` })).toContain(
      String.raw`C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
    );
  });

  it.each([
    ['linux', 'debian', 'apt-get install -y chromium'],
    ['linux', 'ubuntu', 'google-chrome-stable_current_amd64.deb'],
    ['linux', undefined, 'dnf install chromium'],
    ['darwin', undefined, 'brew install --cask google-chrome'],
    ['win32', undefined, 'https://www.google.com/chrome'],
  ])('names the way to get one on %s %s', (platform, family, how) => {
    expect(chromeCure(platform, family)).toContain(how);
  });

  it.each([
    ['ID=debian', 'debian'],
    ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian', 'ubuntu'],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"', 'ubuntu'],
    ['ID=fedora\nID_LIKE="rhel"', undefined],
  ])('reads the family from %j', (osRelease, family) => {
    expect(debianFamily(osRelease)).toBe(family);
  });
});
