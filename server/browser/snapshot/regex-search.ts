import { createContext, runInContext } from 'node:vm';
import { WheelhouseError } from '@/lib/errors/error';

/** A pattern that has not come to an end by then is given up: some need longer than the universe lasts. Milliseconds of our own thread. */
const MOST_MS = 50;

const SEARCH = `(() => {
  const regex = new RegExp(pattern, 'iu');
  return JSON.stringify(JSON.parse(texts).flatMap((text, index) => (regex.test(text) ? [index] : [])));
})()`;

/**
 * Indexes of the texts that a caller's pattern fits, whatever the case. It runs in a context of its own, whose time Node limits, regular
 * expressions included. Throws BAD_REQUEST when the pattern is none, or takes too long.
 */
export function searchByRegex(pattern: string, texts: readonly string[]): ReadonlySet<number> {
  try {
    const found: unknown = runInContext(SEARCH, createContext({ pattern, texts: JSON.stringify(texts) }), { timeout: MOST_MS });
    return new Set(typeof found === 'string' ? found.match(/\d+/g)?.map(Number) : []);
  } catch (cause) {
    throw refused(pattern, cause);
  }
}

function refused(pattern: string, cause: unknown): WheelhouseError {
  // By shape: an error made in another context is an instance of that one's classes.
  const timedOut = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  const problem = timedOut ? 'takes too long on this page' : 'is not a regular expression';
  const hint = timedOut ? 'Use a pattern without repeats inside repeats, or "find" for plain text.' : 'Correct the pattern, or use "find" for plain text.';
  return new WheelhouseError('BAD_REQUEST', `"findRegex" ${problem}: ${pattern.slice(0, 100)}`, { cause, hint, details: { fields: [{ field: 'findRegex', problem }] } });
}
