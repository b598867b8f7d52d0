import { z } from 'zod';

/** One place of a text where lines go out and others come in. */
export const lineEditSchema = z.object({
  /** Line of the old text, from 0. */
  at: z.int().nonnegative(),
  /** So many lines go out from there. */
  remove: z.int().nonnegative(),
  /** These come in at their place. */
  insert: z.array(z.string()),
});
export type LineEdit = Readonly<z.infer<typeof lineEditSchema>>;

/**
 * What makes the new lines of the old ones, in order, without overlap (SN7). Lines carry refs, and refs carry identity, so nearly all lines of a page
 * are unique: those that both texts have once each are the fixed points, the rest is compared between them.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const edits: LineEdit[] = [];
  let at = 0;
  let to = 0;
  for (const [old, now] of [...fixedPoints(before, after), [before.length, after.length] as const]) {
    diffBetween(before, after, { at, end: old, to, toEnd: now }, edits);
    at = old + 1;
    to = now + 1;
  }
  return edits;
}

/** Applies what `diffLines` found. Throws RangeError when the edits do not fit the lines. */
export function applyEdits(before: readonly string[], edits: readonly LineEdit[]): string[] {
  const after: string[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.at < at || edit.at + edit.remove > before.length) throw new RangeError('The edits belong to another text.');
    for (; at < edit.at; at += 1) after.push(before[at] ?? '');
    after.push(...edit.insert);
    at += edit.remove;
  }
  for (; at < before.length; at += 1) after.push(before[at] ?? '');
  return after;
}

interface Stretch {
  readonly at: number;
  readonly end: number;
  readonly to: number;
  readonly toEnd: number;
}

/** What is alike at both ends of a stretch stays; the rest is one edit. */
function diffBetween(before: readonly string[], after: readonly string[], stretch: Stretch, edits: LineEdit[]): void {
  let { at, end, to, toEnd } = stretch;
  while (at < end && to < toEnd && before[at] === after[to]) [at, to] = [at + 1, to + 1];
  while (at < end && to < toEnd && before[end - 1] === after[toEnd - 1]) [end, toEnd] = [end - 1, toEnd - 1];
  if (at === end && to === toEnd) return;
  edits.push({ at, remove: end - at, insert: after.slice(to, toEnd) });
}

/** Pairs of places of lines that are there once on both sides: the longest row of them that is in order on both. */
function fixedPoints(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const once = placesOfUnique(before);
  const now = placesOfUnique(after);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of once) {
    const to = now.get(line);
    if (to !== undefined) pairs.push([at, to]);
  }
  return longestRising(pairs);
}

function placesOfUnique(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  lines.forEach((line, at) => {
    if (places.has(line)) twice.add(line);
    else places.set(line, at);
  });
  for (const line of twice) places.delete(line);
  return places;
}

/** The longest row of pairs, rising in the first, that rises in the second as well. Source: patience sorting. */
function longestRising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const lasts: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, to], index) => {
    let low = 0;
    let high = lasts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[lasts[middle] ?? 0]?.[1] ?? 0) < to) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (lasts[low - 1] ?? -1) : -1;
    lasts[low] = index;
  });
  const row: (readonly [number, number])[] = [];
  for (let index = lasts.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) row.push(pair);
  }
  return row.reverse();
}
