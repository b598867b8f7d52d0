import { ARIA_FRAME, joinAria, printAria } from './aria';
import type { PrintedLine, PrintedRef } from './line';
import { cutNote, emptyNote, fitLines, noteLine } from './lines';
import type { SnapshotFormat } from './options';
import { printOutline } from './outline';
import type { PrintContext, PrintInput } from './print';
import { estimateTokens } from './tokens';
import type { SnapshotTree } from './tree';
import { printWebarena } from './webarena';

export interface PrintedSnapshot {
  readonly text: string;
  /** The lines of the text, notes included; of `aria` those of its objects. */
  readonly lines: readonly PrintedLine[];
  readonly refs: readonly PrintedRef[];
  readonly stats: {
    readonly lines: number;
    readonly chars: number;
    readonly tokens: number;
    readonly refs: number;
    readonly interactive: number;
    readonly depth: number;
  };
  readonly truncated: { readonly shownLines: number; readonly totalLines: number; readonly how: string } | undefined;
}

/** Prints a tree, or the part of it below `roots`, in one pass (SN2, SN3). */
export function printSnapshot(
  tree: SnapshotTree,
  format: SnapshotFormat,
  about: PrintContext,
  roots = tree.roots,
): PrintedSnapshot {
  const lines = printLines({ tree, format, about, roots });
  const json = format.view === 'aria';
  // JSON has no place for notes: `missing` is returned beside the text instead.
  const fitted = json
    ? fitLines(lines, format.maxChars, undefined, ARIA_FRAME)
    : fitLines(lines, format.maxChars, tree.missing);
  const { shown, note } = fitted;
  const printed = json ? shown : withNotes(shown, note, lines.length === 0 ? emptyNote(format) : undefined);
  const text = json ? joinAria(shown) : printed.map((line) => line.text).join('\n');
  const how =
    shown.length < lines.length || tree.missing !== undefined
      ? cutNote(shown.length, lines.length, format.maxChars, tree.missing)
      : undefined;
  return {
    text,
    lines: printed,
    refs: refsOf(shown),
    stats: statsOf(text, shown),
    truncated: how === undefined ? undefined : { shownLines: shown.length, totalLines: lines.length, how },
  };
}

function printLines(input: PrintInput): readonly PrintedLine[] {
  switch (input.format.view) {
    case 'aria':
      return printAria(input);
    case 'webarena':
      return printWebarena(input);
    case 'ai':
    case 'role':
      return printOutline(input);
  }
}

function withNotes(
  shown: readonly PrintedLine[],
  note: string | undefined,
  empty: string | undefined,
): readonly PrintedLine[] {
  const body = empty === undefined ? shown : [noteLine(empty)];
  return note === undefined ? body : [...body, noteLine(note)];
}

function refsOf(shown: readonly PrintedLine[]): PrintedRef[] {
  const refs: PrintedRef[] = [];
  for (const { ref } of shown) if (ref) refs.push(ref);
  return refs;
}

function statsOf(text: string, shown: readonly PrintedLine[]): PrintedSnapshot['stats'] {
  let [refs, interactive, depth] = [0, 0, 0];
  for (const line of shown) {
    if (line.ref) refs += 1;
    if (line.interactive) interactive += 1;
    depth = Math.max(depth, line.level + 1);
  }
  return { lines: shown.length, chars: text.length, tokens: estimateTokens(text), refs, interactive, depth };
}
