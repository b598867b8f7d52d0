/**
 * `npm test`: the checks, the unit and integration tests, and the stories in a browser, all of them also when one
 * fails. The last line counts the tests; a check, a build or a runner that fails as a whole counts as one failure more,
 * so that `0 failed` is never printed by a run that fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { NONE, closingWords, lastLine, playwrightCounts, sum, vitestCounts } from './runners/counts.mjs';
import { runRunner } from './runners/runner.mjs';
import { buildState } from './setup/build-state.mjs';
import { findChrome } from './setup/chrome.mjs';
import { filesUnder } from './setup/files.mjs';
import { endWithParent } from './setup/parent.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { runMain, say } from './setup/say.mjs';

const MINUTES = 60_000;
/** What somebody has set for a server of their own must not reach the servers that the tests start. */
const SETTINGS = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'WHEELHOUSE_API_KEY',
  'CHROME_ARGS',
  'CHROME_CDP_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'PUBLIC_URL',
  'LOG_LEVEL',
  'HEADLESS',
  'CHROME_NO_SANDBOX',
  'AGENT_IDLE_MS',
  'SNAPSHOT_MEMORY_MB',
  'NODE_ENV',
  'NODE_OPTIONS',
];

function testEnv(chrome) {
  const env = { ...process.env, CI: 'true', NEXT_TELEMETRY_DISABLED: '1', WHEELHOUSE_TEST_CHROME: chrome };
  for (const name of SETTINGS) delete env[name];
  return env;
}

/** @returns {Promise<string | undefined>} what is wrong */
async function buildWhenStale(env) {
  if (buildState(ROOT) === 'fresh') return undefined;
  say('Building for the stories…');
  const { code } = await run(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: ROOT, env });
  return code === 0 ? undefined : 'the build failed';
}

function unitRunner(env, folder) {
  const report = join(folder, 'vitest.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  return { name: 'vitest', args, env, limitMs: 40 * MINUTES, report, count: vitestCounts };
}

function storyRunner(env, folder) {
  const report = join(folder, 'playwright.json');
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
  return {
    name: 'playwright',
    args,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    limitMs: 15 * MINUTES,
    report,
    count: playwrightCounts,
  };
}

async function section(runner) {
  process.stdout.write(`\n== ${runner.name}\n`);
  const { counts, output, problem } = await runRunner(runner);
  return { title: runner.name, lines: closingWords(output), counts, problem };
}

async function stories(env, folder) {
  const none = filesUnder(ROOT, 'e2e').every((file) => !file.endsWith('.spec.ts'));
  const problem = none ? 'there is no story in e2e' : await buildWhenStale(env);
  return problem ? { title: 'playwright', lines: [], counts: NONE, problem } : section(storyRunner(env, folder));
}

function report(failedChecks, sections) {
  process.stdout.write('\n== summary\n');
  say(`checks: ${failedChecks.length === 0 ? 'ok' : `FAILED: ${failedChecks.join(', ')}`}`);
  for (const { title, lines, problem } of sections) {
    say(`${title}:${problem ? ` FAILED: ${problem}` : ''}`);
    for (const line of lines) say(line);
  }
  const broken = sections.filter(({ problem }) => problem).length + failedChecks.length;
  const counts = sum([...sections.map((one) => one.counts), { ...NONE, failed: broken }]);
  process.stdout.write(`\n${lastLine(counts)}\n`);
  if (counts.failed > 0) process.exitCode = 1;
}

async function main() {
  endWithParent();
  const env = testEnv(findChrome());
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-test-'));
  process.stdout.write('== checks\n');
  const failedChecks = await runChecks();
  const sections = [await section(unitRunner(env, folder)), await stories(env, folder)];
  rmSync(folder, { recursive: true, force: true });
  report(failedChecks, sections);
}

await runMain(main);
