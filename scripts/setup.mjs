/**
 * Makes a fresh clone ready, step by step, doing only what is missing: `node scripts/setup.mjs
 * start|dev|test|build|check`. npm runs it before the command of the same name. Plain Node without dependencies, since
 * it installs them.
 */
import { nodeVersionProblem } from './setup/node-version.mjs';
import { ROOT } from './setup/root.mjs';
import { SetupError, runMain, say } from './setup/say.mjs';

const NEEDS = {
  start: { dev: false, native: true, chrome: true, build: true },
  dev: { dev: true, native: true, chrome: true, build: false },
  test: { dev: true, native: true, chrome: true, build: false },
  build: { dev: true, native: false, chrome: false, build: false },
  check: { dev: true, native: false, chrome: false, build: false },
};

async function build(state) {
  const { run } = await import('./setup/run.mjs');
  const why = {
    missing: 'Building',
    broken: 'The last build is not whole: building',
    stale: 'The sources have changed: building',
  };
  say(`${why[state]} the interface and the server (about a minute)…`);
  const { code } = await run(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: ROOT });
  if (code !== 0)
    throw new SetupError(
      'The build failed for the reason above: mend it, or return to a released version, and run the command again.',
    );
}

async function main() {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem) throw new SetupError(problem);
  const mode = process.argv[2];
  const need = NEEDS[mode];
  if (!need) throw new SetupError(`Say what to set up for: ${Object.keys(NEEDS).join(', ')}.`);
  const [{ ensureDependencies, ensureRealPages }, { ensureNative }, { ensureChrome }, { buildState }] =
    await Promise.all([
      import('./setup/dependencies.mjs'),
      import('./setup/native.mjs'),
      import('./setup/chrome.mjs'),
      import('./setup/build-state.mjs'),
    ]);
  const state = need.build ? buildState(ROOT) : 'fresh';
  await ensureDependencies(ROOT, { dev: need.dev || state !== 'fresh' });
  if (mode === 'test') await ensureRealPages(ROOT);
  if (need.native) await ensureNative(ROOT);
  // A server that attaches to a running Chrome needs none of its own; the tests always start one.
  const attaches = process.env.CHROME_CDP_URL && mode !== 'test';
  if (need.chrome && !attaches) await ensureChrome();
  if (state !== 'fresh') await build(state);
}

await runMain(main);
