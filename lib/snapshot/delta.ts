import { z } from 'zod';

/** Lines that are removed and inserted at one place of a text. */
export const lineEditSchema = z.object({
  /** Line of the old text, from 0. */
  at: z.int().nonnegative(),
  /** Number of lines removed from there. */
  remove: z.int().nonnegative(),
  /** Lines that replace them. */
  insert: z.array(z.string()),
});
export type LineEdit = Readonly<z.infer<typeof lineEditSchema>>;

/**
 * The edits that turn the old lines into the new ones, in order, without overlap (SN7). Lines contain refs, so nearly
 * all lines of a page are unique: lines that occur once in each text are the fixed points, and the rest is compared
 * between them.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const edits: LineEdit[] = [];
  let { at, end, to, toEnd } = unlike(before, after, { at: 0, end: before.length, to: 0, toEnd: after.length });
  const offset = at;
  const offsetTo = to;
  const ends = [end - offset, toEnd - offsetTo] as const;
  for (const [old, now] of [...fixedPoints(before.slice(at, end), after.slice(to, toEnd)), ends]) {
    [end, toEnd] = [offset + old, offsetTo + now];
    diffBetween(before, after, { at, end, to, toEnd }, edits);
    [at, to] = [end + 1, toEnd + 1];
  }
  return edits;
}

/** Applies what `diffLines` found. Throws RangeError when the edits do not fit the lines. */
export function applyEdits(before: readonly string[], edits: readonly LineEdit[]): string[] {
  const after: string[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.at < at || edit.at + edit.remove > before.length)
      throw new RangeError('The edits belong to another text.');
    for (; at < edit.at; at += 1) after.push(before[at] ?? '');
    after.push(...edit.insert);
    at += edit.remove;
  }
  for (; at < before.length; at += 1) after.push(before[at] ?? '');
  return after;
}

interface EditRange {
  readonly at: number;
  readonly end: number;
  readonly to: number;
  readonly toEnd: number;
}

/** Keeps the equal lines at both ends of a range; the rest is one edit. */
function diffBetween(before: readonly string[], after: readonly string[], stretch: EditRange, edits: LineEdit[]): void {
  const { at, end, to, toEnd } = unlike(before, after, stretch);
  if (at === end && to === toEnd) return;
  edits.push({ at, remove: end - at, insert: after.slice(to, toEnd) });
}

/** The range without the equal lines at both ends. */
function unlike(before: readonly string[], after: readonly string[], { at, end, to, toEnd }: EditRange): EditRange {
  let [from, until, fromNew, untilNew] = [at, end, to, toEnd];
  for (; from < until && fromNew < untilNew && before[from] === after[fromNew]; from += 1) fromNew += 1;
  for (; from < until && fromNew < untilNew && before[until - 1] === after[untilNew - 1]; until -= 1) untilNew -= 1;
  return { at: from, end: until, to: fromNew, toEnd: untilNew };
}

/** Positions of lines that occur once in each text: the longest sequence of them that is in order in both. */
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

/**
 * The longest sequence of these pairs, which are sorted by the first number, that also rises in the second. Source:
 * patience sorting.
 */
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
