/** Reads the runners' reports: how many tests ran, which needed a second try, and the runners' own closing lines. */

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

export const NONE = { passed: 0, failed: 0, skipped: 0 };

/** @param {Counts[]} all @returns {Counts} */
export function sum(all) {
  const add = (name) => all.reduce((total, counts) => total + counts[name], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}

/**
 * Counts a test file that does not load as a failure, although it has no tests.
 * @param report vitest's JSON report
 * @returns {Counts}
 */
export function vitestCounts(report) {
  const isBroken = (file) =>
    file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.testResults.filter(isBroken).length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Tests that passed on their second try: vitest keeps the errors of the first one in the report.
 * @param report vitest's JSON report, with absolute paths
 * @param {string} root the project's folder
 * @returns {string[]} file and title of each, with the first line of what went wrong at first
 */
export function vitestRetried(report, root) {
  return report.testResults.flatMap(({ name, assertionResults }) => {
    const retried = assertionResults.filter((test) => test.status === 'passed' && test.failureMessages.length > 0);
    const file = name.replace(`${root.replace(/\/$/, '')}/`, '');
    return retried.map(({ fullName, failureMessages }) => `${file} > ${fullName} (${firstLine(failureMessages)})`);
  });
}

/**
 * Counts a story that passed on its second try as passed, as vitest does.
 * @param report Playwright's JSON report
 * @returns {Counts}
 */
export function playwrightCounts({ stats, errors }) {
  const { expected, flaky, unexpected, skipped } = stats;
  return { passed: expected + flaky, failed: unexpected + errors.length, skipped };
}

/**
 * @param report Playwright's JSON report
 * @returns {string[]} file and title of each story that passed on its second try
 */
export function playwrightRetried(report) {
  const inSuite = (suite) => [
    ...(suite.specs ?? []).filter(({ tests }) => tests.some(({ status }) => status === 'flaky')),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return report.suites.flatMap(inSuite).map(({ file, title }) => `e2e/${file} > ${title}`);
}

/** What the ledger of second tries tells of an error: enough to know which check it was. */
function firstLine([message]) {
  const [line] = message.replace(ESCAPES, '').split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Colours and cursor movements of a terminal. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
const VITEST_WORDS = /^\s*(Test Files|Tests|Errors|Duration)\s{2,}\S/;
const PLAYWRIGHT_WORDS = /^\s+\d+ (passed|failed|flaky|skipped|interrupted|did not run)\b|^\s+\[chromium\] › /;

/**
 * The lines in which a runner sums itself up. Failures may follow them, since those go to stderr.
 * @param {string} output
 */
export function closingWords(output) {
  const lines = output.replace(ESCAPES, '').split('\n');
  return lines.filter((line) => VITEST_WORDS.test(line) || PLAYWRIGHT_WORDS.test(line)).map((line) => line.trimEnd());
}

/** The last line of `npm test`. @param {Counts} counts */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
