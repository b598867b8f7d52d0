/** How many tests ran, read from the reports that the runners write, and their own closing words. */

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

export const NONE = { passed: 0, failed: 0, skipped: 0 };

/** @param {Counts[]} all @returns {Counts} */
export function sum(all) {
  const add = (name) => all.reduce((total, counts) => total + counts[name], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}

/** A test file that does not load has no tests, yet it failed. @param report vitest's JSON report @returns {Counts} */
export function vitestCounts(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * What passed on its second try counts as passed, as it does in vitest; the closing words say how many and which.
 * @param report Playwright's JSON report @returns {Counts}
 */
export function playwrightCounts({ stats, errors }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skipped: stats.skipped };
}

/** Colours and cursor movements of a terminal. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
const CLOSING_WORDS =
  /^\s*(Test Files|Tests|Errors|Duration)\s{2,}\S|^\s+\d+ (passed|failed|flaky|skipped|interrupted|did not run)\b|^\s+\[chromium\] › /;

/** The lines in which a runner sums itself up. @param {string} output */
export function closingWords(output) {
  const tail = output.replace(ESCAPES, '').split('\n').slice(-60);
  return tail.filter((line) => CLOSING_WORDS.test(line)).map((line) => line.trimEnd());
}

/** The last line of `npm test`. @param {Counts} counts */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
