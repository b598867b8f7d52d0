import { setImmediate as turn } from 'node:timers/promises';

/** Shorter answers are parsed at once: a megabyte takes about ten milliseconds. */
export const LONG_BYTES = 1024 * 1024;
/** Bytes that are parsed without a pause, about two milliseconds. */
const PART_BYTES = 256 * 1024;

/**
 * How an answer begins whose only content is a long list, and the separator between two of its items. Quotes inside
 * JSON strings are escaped, so page text cannot imitate either.
 */
const BEGINS = /^\{"id":(\d+),"result":\{"nodes":\[\{"nodeId":"/;
const BETWEEN = '},{"nodeId":"';
const ENDS = /\]\},"sessionId":"[^"]*"\}$/;
/** Longer than what BEGINS and ENDS match. */
const EDGE_BYTES = 200;

/**
 * A long answer of `Accessibility.getFullAXTree` as Chromium 156 writes it. Every other message is parsed by
 * `JSON.parse` as a whole.
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
 * Parses a long answer part by part and yields to the event loop after each part, so that other callers wait for one
 * part at most (SN10). Parsing in a worker thread would cost more: copying the result back takes longer than parsing
 * (docs/chrome-facts.md, Our own cost). `pause` yields. Undefined when an item is no node by `isNode`; throws
 * SyntaxError when the answer is not JSON.
 */
export async function parseLong<T>(
  data: Buffer,
  { from, to }: LongAnswer,
  isNode: (item: unknown) => item is T,
  pause: () => Promise<unknown> = turn,
): Promise<T[] | undefined> {
  const nodes: T[] = [];
  for (let at = from + 1; at < to - 1;) {
    const next = data.indexOf(BETWEEN, at + PART_BYTES, 'latin1');
    const end = next < 0 ? to - 1 : next + 1;
    const part: unknown = JSON.parse(`[${data.toString('utf8', at, end)}]`);
    for (const node of Array.isArray(part) ? part : []) {
      if (!isNode(node)) return undefined;
      nodes.push(node);
    }
    at = end + 1;
    await pause();
  }
  return nodes;
}
