import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceHash, writeStamp } from './setup/build-state.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { tree } from './testing/tree.mjs';

const LOCK = '{"packages": {"": {}, "node_modules/better-sqlite3": {"version": "1.0.0"}}}';
const INSTALLED = {
  'package-lock.json': LOCK,
  'node_modules/.package-lock.json': LOCK,
  'node_modules/better-sqlite3/index.js': 'module.exports = class { close() {} };',
  '.next/BUILD_ID': 'one',
  'dist/server.mjs': '',
};

/** A copy of the scripts in a small project, with a PATH on which there is Node and nothing else. */
async function setUp(files, mode, settings = {}) {
  const root = tree(files);
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'path'));
  symlinkSync(process.execPath, join(root, 'path', 'node'));
  writeStamp(root, sourceHash(root));
  const env = { PATH: join(root, 'path'), ...settings };
  return run(process.execPath, [join(root, 'scripts', 'setup.mjs'), mode], { cwd: root, env, quiet: true });
}

describe('[OP1] the bootstrap', () => {
  it('says how to get a Chrome when there is none, and stops', async () => {
    const { code, output } = await setUp(INSTALLED, 'start');
    expect({ code, last: output.trim().split('\n').pop() }).toEqual({
      code: 1,
      last: expect.stringMatching(/^ {2}No Chrome, Edge, Brave or Chromium was found: .*CHROME_PATH/),
    });
  });

  it('needs no Chrome, and says nothing, when the server attaches to a running one', async () => {
    expect(await setUp(INSTALLED, 'start', { CHROME_CDP_URL: 'http://127.0.0.1:9222' })).toEqual({
      code: 0,
      output: '',
    });
  });

  it('says so when the dependencies cannot be installed, and stops', async () => {
    const { code, output } = await setUp(
      { ...INSTALLED, 'node_modules/.package-lock.json': '{"packages": {}}' },
      'check',
    );
    expect({ code, last: output.trim().split('\n').pop() }).toEqual({
      code: 1,
      last: expect.stringMatching(/^ {2}The dependencies could not be installed/),
    });
  });

  it('names the cure for a database module that does not load and cannot be rebuilt, and keeps the log', async () => {
    const broken = {
      ...INSTALLED,
      'node_modules/better-sqlite3/index.js': 'throw new Error("NODE_MODULE_VERSION 115");',
    };
    const { code, output } = await setUp(broken, 'start');
    expect({ code, last: output.trim().split('\n').pop() }).toEqual({
      code: 1,
      last: expect.stringMatching(
        /could not be rebuilt: install a C\+\+ compiler, .*npm rebuild better-sqlite3.*better-sqlite3\.log\.$/,
      ),
    });
  });

  it('names a damaged lock', async () => {
    const { code, output } = await setUp({ ...INSTALLED, 'package-lock.json': '{' }, 'build');
    expect({ code, output: output.trim() }).toEqual({
      code: 1,
      output:
        'package-lock.json is missing or damaged: restore it with `git checkout package-lock.json` and run the command again.',
    });
  });
});
