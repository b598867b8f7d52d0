import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { endRunners, runRunner, runnersSaid } from './runner.mjs';

const count = ({ passed, failed }) => ({ passed, failed, skipped: 0 });

/** Runs a program in the place of a test runner; it finds the path of its report in REPORT. */
async function outcome(source, limitMs = 20_000) {
  const root = tree({
    'runner.mjs': `import { writeFileSync } from 'node:fs';\nconst report = (it) => writeFileSync(process.env.REPORT, JSON.stringify(it));\n${source}`,
  });
  const report = join(root, 'report.json');
  const { counts, problem } = await runRunner({
    name: 'a runner',
    args: [join(root, 'runner.mjs')],
    env: { ...process.env, REPORT: report },
    limitMs,
    live: false,
    report,
    count,
    retried: () => [],
  });
  return { ...counts, problem };
}

describe('running a test runner', () => {
  it('counts what its report says', async () => {
    expect(await outcome('report({ passed: 2, failed: 1 }); process.exit(1);')).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      problem: undefined,
    });
  });

  it('is a problem when it fails though no test did', async () => {
    expect(await outcome('report({ passed: 2, failed: 0 }); process.exit(3);')).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      problem: 'ended with code 3 though no test failed',
    });
  });

  it('is a problem when it leaves no report', async () => {
    expect(await outcome('process.exit(0);')).toEqual({
      passed: 0,
      failed: 0,
      skipped: 0,
      problem: 'ended with code 0 and without a report',
    });
  });

  it('is ended at its limit together with what it started', async () => {
    const hangs =
      "import { spawn } from 'node:child_process';\nspawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); setInterval(() => {}, 1000);";
    // The pipe closes only when every process that holds it is gone, so an answer at all means that the child went too.
    expect(await outcome(hangs, 600)).toEqual({
      passed: 0,
      failed: 0,
      skipped: 0,
      problem: 'not finished after 0.01 minutes',
    });
  });

  it('is ended when the whole run is, and what it has said is given', async () => {
    const ended = outcome("console.log('so far'); setInterval(() => {}, 1000);");
    await expect.poll(() => runnersSaid()).toEqual(['so far\n']);
    expect(endRunners()).toEqual([expect.objectContaining({ name: 'a runner', output: 'so far\n' })]);
    expect(await ended).toMatchObject({ problem: 'ended with code 1 and without a report' });
  });
});
