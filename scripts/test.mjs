/**
 * `npm test`: runs the checks, the unit and integration tests, and the stories in a browser, side by side, all of them
 * even when one fails. `npm test -- PATTERN` runs the tests whose path contains PATTERN, `npm run test:changed` those
 * that a change touches. The last line counts the tests; a check, a build or a runner that fails as a whole counts as
 * one more failure, so that a failed run never prints `0 failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { coreShares, coreTimes } from './runners/cores.mjs';
import * as counting from './runners/counts.mjs';
import { partOf } from './runners/parts.mjs';
import { endRunners, runRunner } from './runners/runner.mjs';
import { endChromes } from './runners/temporary.mjs';
import { buildState } from './setup/build-state.mjs';
import { findChrome } from './setup/chrome.mjs';
import { filesUnder } from './setup/files.mjs';
import { endWithParent } from './setup/parent.mjs';
import { ROOT } from './setup/root.mjs';
import { run } from './setup/run.mjs';
import { runMain, say } from './setup/say.mjs';

const MINUTES = 60_000;
/** Variables of somebody's own server, which must not reach the servers that the tests start. */
const SETTINGS = [
  ...['PORT', 'HOST', 'DATA_DIR', 'WHEELHOUSE_API_KEY', 'CHROME_ARGS', 'CHROME_CDP_URL', 'DATABASE_URL', 'REDIS_URL'],
  ...['PUBLIC_URL', 'LOG_LEVEL', 'HEADLESS', 'CHROME_NO_SANDBOX', 'AGENT_IDLE_MS', 'SNAPSHOT_MEMORY_MB'],
  ...['TLS_CERT', 'TLS_KEY', 'TRUSTED_HOPS', 'NODE_ENV', 'NODE_OPTIONS'],
];

/** @param {string} folder holds everything that the tests leave, and is removed afterwards */
function testEnv(chrome, folder) {
  const env = {
    ...process.env,
    CI: 'true',
    NEXT_TELEMETRY_DISABLED: '1',
    WHEELHOUSE_TEST_CHROME: chrome,
    TMPDIR: folder,
  };
  for (const name of SETTINGS) delete env[name];
  return env;
}

function unitRunner(env, folder, args, live) {
  const report = join(folder, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return {
    ...{ name: 'vitest', args: ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], env, live, report },
    ...{ limitMs: 40 * MINUTES, count: counting.vitestCounts, retried: (it) => counting.vitestRetried(it, ROOT) },
  };
}

function storyRunner(env, folder, args, live) {
  const report = join(folder, 'playwright.json');
  return {
    ...{ name: 'playwright', args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...args] },
    ...{ env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }, live, report, limitMs: 15 * MINUTES },
    ...{ count: counting.playwrightCounts, retried: counting.playwrightRetried },
  };
}

/**
 * @returns {Promise<{title: string, lines: string[], counts: counting.Counts, retried: string[], problem?: string}>}
 */
async function section(runner) {
  if (runner.live) process.stdout.write(`\n== ${runner.name}\n`);
  const { counts, retried, output, problem } = await runRunner(runner);
  if (!runner.live) process.stdout.write(`\n== ${runner.name}\n${output}`);
  return { title: runner.name, lines: counting.closingWords(output), counts, retried, problem };
}

/** Builds when the build is stale; a section of its own only when that fails. */
async function buildWhenStale(env) {
  if (buildState(ROOT) === 'fresh') return undefined;
  const { code, output } = await run(process.execPath, ['scripts/build.mjs', '--quiet'], {
    cwd: ROOT,
    env,
    quiet: true,
  });
  process.stdout.write(`\n== build\n${output}`);
  return code === 0 ? undefined : 'the build failed';
}

async function stories(env, folder, args, live) {
  const none = filesUnder(ROOT, 'e2e').every((file) => !file.endsWith('.spec.ts'));
  const problem = none ? 'there is no story in e2e' : await buildWhenStale(env);
  if (problem) return { title: 'playwright', lines: [], counts: counting.NONE, retried: [], problem };
  return section(storyRunner(env, folder, args, live));
}

async function checks() {
  let output = '';
  const failed = await runChecks((text) => (output += text));
  process.stdout.write(`\n== checks\n${output}`);
  return failed;
}

/**
 * Runs everything: the unit tests in parallel to checks, build and stories, which run one after the other, since checks
 * and build write the same folder.
 */
async function runWhole(env, folder) {
  say('Checks, tests, build and stories run side by side; each is printed when it ends.');
  const unit = section(unitRunner(env, folder, [], false));
  const failedChecks = await checks();
  const story = await stories(env, folder, [], false);
  return { failedChecks, sections: [await unit, story] };
}

async function runPart(env, folder, part) {
  const sections = [];
  if (part.unit) sections.push(await section(unitRunner(env, folder, part.unit, true)));
  if (part.stories) sections.push(await stories(env, folder, part.stories, true));
  return { failedChecks: undefined, sections };
}

/** How long the run took, and on how much of a machine: a host that takes cores away makes it longer. */
function timeText(start) {
  const seconds = Math.round((performance.now() - start.at) / 1_000);
  const { busy, taken } = coreShares(start.cores, coreTimes());
  const percent = (share) => `${Math.round(share * 100)} %`;
  const cores = `cores ${percent(busy)} busy, ${percent(taken)} of them taken by the host`;
  return `time: ${Math.floor(seconds / 60)} min ${seconds % 60} s (${cores})`;
}

function reportSections(start, failedChecks, sections) {
  process.stdout.write('\n== summary\n');
  say(timeText(start));
  if (failedChecks) say(`checks: ${failedChecks.length === 0 ? 'ok' : `FAILED: ${failedChecks.join(', ')}`}`);
  for (const { title, lines, problem } of sections) {
    say(`${title}:${problem ? ` FAILED: ${problem}` : ''}`);
    for (const line of lines) say(line);
  }
  const retried = sections.flatMap((one) => one.retried);
  process.stdout.write(`\n== second tries: ${retried.length}\n`);
  for (const test of retried) say(test);
  const broken = sections.filter(({ problem }) => problem).length + (failedChecks ?? []).length;
  const counts = counting.sum([...sections.map((one) => one.counts), { ...counting.NONE, failed: broken }]);
  process.stdout.write(`\n${counting.lastLine(counts)}\n`);
  if (counts.failed > 0) process.exitCode = 1;
}

function cleanUp(folder) {
  endChromes(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Called when the run is interrupted: prints the output that was held back, and ends the browsers. */
function stopEarly(folder) {
  for (const { name, output } of endRunners()) process.stdout.write(`\n== ${name}, interrupted\n${output}`);
  cleanUp(folder);
  process.exit(130);
}

async function main() {
  const start = { at: performance.now(), cores: coreTimes() };
  const part = partOf(ROOT, process.argv.slice(2));
  endWithParent();
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-test-'));
  const env = testEnv(findChrome(), folder);
  const stop = () => stopEarly(folder);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { failedChecks, sections } = part.whole ? await runWhole(env, folder) : await runPart(env, folder, part);
  cleanUp(folder);
  reportSections(start, failedChecks, sections);
}

await runMain(main);
