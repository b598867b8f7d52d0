import { setImmediate as turn } from 'node:timers/promises';

/** Shorter answers are parsed at once: a megabyte takes about ten milliseconds. */
export const LONG_BYTES = 1024 * 1024;
/** So much is parsed in one go, about two milliseconds. */
const PART_BYTES = 256 * 1024;

/**
 * How the answer begins whose only content is a long list, and what stands between two items of it: quotes inside a
 * string are escaped, so no text can look like it.
 */
const BEGINS = /^\{"id":(\d+),"result":\{"nodes":\[\{"nodeId":"/;
const BETWEEN = '},{"nodeId":"';
const ENDS = /\]\},"sessionId":"[^"]*"\}$/;
/** Longer than what BEGINS and ENDS match. */
const EDGE_BYTES = 200;

/**
 * The answer of `Accessibility.getFullAXTree`, when it is one and long; as Chromium 156 writes it. Everything else is
 * for `JSON.parse` alone.
 */
export interface LongAnswer {
  readonly id: number;
  /** Where the list begins and ends, brackets included. */
  readonly from: number;
  readonly to: number;
}

export function longAnswerIn(data: Buffer): LongAnswer | undefined {
  if (data.byteLength <= LONG_BYTES) return undefined;
  const begins = BEGINS.exec(data.toString('latin1', 0, EDGE_BYTES));
  const ends = ENDS.exec(data.toString('latin1', data.byteLength - EDGE_BYTES));
  if (!begins?.[1] || !ends) return undefined;
  return { id: Number(begins[1]), from: begins[0].lastIndexOf('['), to: data.byteLength - ends[0].length + 1 };
}

/**
 * Parses a long answer part by part and lets everything else have its turn in between: whoever else is served waits for
 * one part, not for all of it (SN10). In a worker thread the parsing would hold up nobody, but what comes back from
 * there takes longer to copy than to parse (docs/chrome-facts.md, Our own cost). Throws SyntaxError when it is not
 * JSON. `pause` is what lets the others go on.
 */
export async function parseLong(
  data: Buffer,
  { from, to }: LongAnswer,
  pause: () => Promise<unknown> = turn,
): Promise<{ nodes: unknown[] }> {
  const nodes: unknown[] = [];
  for (let at = from + 1; at < to - 1;) {
    const next = data.indexOf(BETWEEN, at + PART_BYTES, 'latin1');
    const end = next < 0 ? to - 1 : next + 1;
    const part: unknown = JSON.parse(`[${data.toString('utf8', at, end)}]`);
    if (Array.isArray(part)) for (const node of part) nodes.push(node);
    at = end + 1;
    await pause();
  }
  return { nodes };
}
