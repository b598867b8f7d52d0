import { describe, expect, it } from 'vitest';
import {
  closingWords,
  lastLine,
  playwrightCounts,
  playwrightRetried,
  sum,
  vitestCounts,
  vitestRetried,
} from './counts.mjs';

describe('what npm test counts', () => {
  it('vitest: tests, and each file that did not load as one failure', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
      ],
    };
    expect(vitestCounts(report)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('Playwright: an error outside of the stories is a failure, a story that passed on its second try is not', () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{ message: 'no config' }] };
    expect(playwrightCounts(report)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  it('the last line is the sum, and speaks of skipped ones only when there are any', () => {
    const one = { passed: 1, failed: 0, skipped: 0 };
    expect([lastLine(sum([one, one])), lastLine(sum([one, { passed: 0, failed: 2, skipped: 3 }]))]).toEqual([
      '2 passed, 0 failed',
      '1 passed, 2 failed, 3 skipped',
    ]);
  });

  it('names the tests of vitest that passed on their second try, by file and title', () => {
    const failureMessages = ['\u001B[31mError: late\u001B[39m\n    at a.test.ts:3'];
    const report = {
      testResults: [
        {
          name: '/project/lib/a.test.ts',
          assertionResults: [
            { status: 'passed', fullName: 'a at once', failureMessages: [] },
            { status: 'passed', fullName: 'a at last', failureMessages },
            { status: 'failed', fullName: 'a never', failureMessages },
          ],
        },
      ],
    };
    expect(vitestRetried(report, '/project/')).toEqual(['lib/a.test.ts > a at last (Error: late)']);
  });

  it('names the stories that passed on their second try, at any depth', () => {
    const spec = (title, status) => ({ file: 'wall.spec.ts', title, tests: [{ status }] });
    const inner = { specs: [spec('tabs', 'flaky'), spec('dialogs', 'unexpected')] };
    const report = { suites: [{ specs: [spec('first', 'expected')], suites: [inner] }] };
    expect(playwrightRetried(report)).toEqual(['e2e/wall.spec.ts > tabs']);
  });

  it("keeps the runners' own closing words", () => {
    const vitest =
      '\u001B[2m Test Files \u001B[22m \u001B[1m3 passed\u001B[22m (3)\n      Tests  8 passed (8)\n   Start at  08:07\n   Duration  6.12s\n FAIL  a.test.ts > a';
    const playwright =
      'Running 2 tests\n  ✓ 1 first run\n  1) [chromium] › first.spec.ts:1:1\n  1 flaky\n    [chromium] › first.spec.ts:1:1 › first\n  1 passed (3.1s)\n';
    expect([closingWords(vitest), closingWords(playwright)]).toEqual([
      [' Test Files  3 passed (3)', '      Tests  8 passed (8)', '   Duration  6.12s'],
      ['  1 flaky', '    [chromium] › first.spec.ts:1:1 › first', '  1 passed (3.1s)'],
    ]);
  });
});
