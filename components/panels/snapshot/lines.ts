import { readLine, type SnapshotLine } from './line';

/** Parses all lines of a snapshot's text. */
export function readLines(text: string): readonly SnapshotLine[] {
  return text === '' ? [] : text.split('\n').map(readLine);
}

/**
 * Indexes of lines that the snapshot before did not have. The caller compares snapshots of one page only: on another
 * page all lines would be new.
 */
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

/** Key of a line, without indent and marks that scrolling changes: an element that only moved is not new. */
function keyOf(line: SnapshotLine): string {
  return line.raw.trimStart().replace(/ \[(?:offscreen|covered)\]/gu, '');
}

export interface FoundLine {
  readonly index: number;
  /** False for a line that is shown only as a parent of a found one. */
  readonly found: boolean;
}

/** Lines that contain `query`, ignoring case, with their parents. An empty query finds all. */
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
