import type { PrintedLine } from './line';
import type { SnapshotFormat } from './options';

export interface FittedLines {
  readonly shown: readonly PrintedLine[];
  /** The last line of the text, when something is missing. It begins with `#`; no line of page text does. */
  readonly note: string | undefined;
}

/** Characters around all lines and after each. */
const TEXT_FRAME = { around: -1, each: 1 } as const;

/**
 * Keeps as many whole lines as fit into `maxChars` together with the note (SN3). With a `frame` of another form there
 * is no note in the text.
 */
export function fitLines(
  lines: readonly PrintedLine[],
  maxChars: number,
  missing: string | undefined,
  frame?: { readonly around: number; readonly each: number },
): FittedLines {
  const { around, each } = frame ?? TEXT_FRAME;
  const all = lines.reduce((sum, line) => sum + line.text.length + each, around);
  const noteOfMissing = missing === undefined ? undefined : `# ${missing}`;
  if (all + (noteOfMissing === undefined ? 0 : noteOfMissing.length + 1) <= maxChars)
    return { shown: lines, note: noteOfMissing };
  const note = (shown: number): string => (frame ? '' : `# ${cutNote(shown, lines.length, maxChars, missing)}`);
  let left = maxChars - (frame ? around : note(Math.max(0, lines.length - 1)).length);
  const fits = lines.findIndex((line) => {
    left -= line.text.length + each;
    return left < 0;
  });
  const shown = lines.slice(0, fits < 0 ? lines.length : fits);
  return { shown, note: frame ? undefined : note(shown.length) };
}

/** A note for people and models on what was cut and how to see it. */
export function cutNote(shown: number, total: number, maxChars: number, missing: string | undefined): string {
  if (shown === total && missing !== undefined) return missing;
  const cut = `${shown} of ${total} lines shown. Ask again with maxChars above ${maxChars}, with interactive, or for one part by its ref.`;
  return missing === undefined ? cut : `${cut} ${missing}`;
}

/** The note that replaces an empty snapshot. */
export function emptyNote({ interactive, find, findRegex }: SnapshotFormat): string {
  if (find !== undefined || findRegex !== undefined) return '(nothing found)';
  return interactive ? '(no interactive elements)' : '(empty)';
}

export function noteLine(text: string): PrintedLine {
  return { text, level: 0, interactive: false, ref: undefined };
}
