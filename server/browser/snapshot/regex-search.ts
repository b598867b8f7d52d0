import { createContext, runInContext } from 'node:vm';
import { WheelhouseError } from '@/lib/errors/error';

/**
 * A pattern that has not come to an end by then is given up: some need longer than the universe lasts. Milliseconds of our own thread; a good
 * pattern takes one or two, but on a busy machine the clock goes on while we wait for a processor.
 */
const MOST_MS = 150;

const SEARCH = `(() => {
  const regex = new RegExp(pattern, 'iu');
  return JSON.stringify(JSON.parse(texts).flatMap((text, index) => (regex.test(text) ? [index] : [])));
})()`;

/**
 * Indexes of the texts that a caller's pattern fits, whatever the case. It runs in a context of its own, whose time Node limits, regular
 * expressions included. Throws BAD_REQUEST when the pattern is none, or takes too long.
 */
export function searchByRegex(pattern: string, texts: readonly string[]): ReadonlySet<number> {
  mustBePattern(pattern);
  try {
    const found: unknown = runInContext(SEARCH, createContext({ pattern, texts: JSON.stringify(texts) }), { timeout: MOST_MS });
    return new Set(typeof found === 'string' ? found.match(/\d+/g)?.map(Number) : []);
  } catch (cause) {
    throw refused(pattern, 'takes too long on this page', 'Use a pattern without repeats inside repeats, or "find" for plain text.', cause);
  }
}

/** Reading a pattern takes no time to speak of, whatever it says. */
function mustBePattern(pattern: string): void {
  try {
    RegExp(pattern, 'iu');
  } catch (cause) {
    throw refused(pattern, 'is not a regular expression', 'Correct the pattern, or use "find" for plain text.', cause);
  }
}

function refused(pattern: string, problem: string, hint: string, cause: unknown): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"findRegex" ${problem}: ${pattern.slice(0, 100)}`, { cause, hint, details: { fields: [{ field: 'findRegex', problem }] } });
}
