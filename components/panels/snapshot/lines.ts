import { readLine, type SnapshotLine } from './line';

/** Every line of a snapshot's text. */
export function readLines(text: string): readonly SnapshotLine[] {
  return text === '' ? [] : text.split('\n').map(readLine);
}

/** Numbers of the lines that the text before did not have. Nothing is new on another page: all of it is. */
export function newLines(before: readonly SnapshotLine[], now: readonly SnapshotLine[]): ReadonlySet<number> {
  const had = new Map<string, number>();
  for (const line of before) had.set(keyOf(line), (had.get(keyOf(line)) ?? 0) + 1);
  const fresh = new Set<number>();
  now.forEach((line, index) => {
    const left = had.get(keyOf(line)) ?? 0;
    if (left === 0 && line.role !== undefined) fresh.add(index);
    else if (left > 0) had.set(keyOf(line), left - 1);
  });
  return fresh;
}

/** Depth and what scrolling changes are left out: an element that only moved is not new. */
function keyOf(line: SnapshotLine): string {
  return line.raw.trimStart().replace(/ \[(?:offscreen|covered)\]/gu, '');
}

export interface FoundLine {
  readonly index: number;
  /** False for a line that is here only because a found one is below it. */
  readonly found: boolean;
}

/** The lines that hold `query`, whatever the case, each below its parents. An empty query finds all. */
export function findLines(lines: readonly SnapshotLine[], query: string): readonly FoundLine[] {
  const words = query.trim().toLocaleLowerCase();
  if (words === '') return lines.map((_, index) => ({ index, found: true }));
  const shown = new Map<number, boolean>();
  const parents: { index: number; depth: number }[] = [];
  lines.forEach((line, index) => {
    while ((parents.at(-1)?.depth ?? -1) >= line.depth) parents.pop();
    if (line.raw.toLocaleLowerCase().includes(words)) {
      for (const parent of parents) if (!shown.has(parent.index)) shown.set(parent.index, false);
      shown.set(index, true);
    }
    parents.push({ index, depth: line.depth });
  });
  return [...shown].sort(([a], [b]) => a - b).map(([index, found]) => ({ index, found }));
}
