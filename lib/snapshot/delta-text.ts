import type { LineEdit } from './delta';

/** A delta that is longer than this share of the whole text is not worth reading (SN7). */
const MOST_SHARE = 0.7;
/** Most removed lines of one run that are quoted: removed elements cannot be acted on. */
const MOST_GONE = 6;

/**
 * Prints edits for a model: `-` before each removed line, `+` before each inserted one, and above them, after a space,
 * the line that they are below. Our notes begin with `#`. Undefined when the whole text is the better answer.
 */
export function printDelta(
  before: readonly string[],
  edits: readonly LineEdit[],
  after: string,
  since: number,
  revision: number,
): string | undefined {
  if (edits.length === 0) return `# Nothing changed since revision ${since}.`;
  const lines = [`# Changed since revision ${since}, now ${revision}:`];
  let around: string | undefined;
  for (const edit of edits) {
    const parent = parentOf(before, edit);
    if (parent !== undefined && parent !== around) lines.push(` ${parent}`);
    around = parent;
    lines.push(...gone(before.slice(edit.at, edit.at + edit.remove)), ...edit.insert.map((line) => `+${line}`));
  }
  const text = lines.join('\n');
  return text.length > after.length * MOST_SHARE ? undefined : text;
}

function gone(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MOST_GONE).map((line) => `-${line}`);
  return lines.length > MOST_GONE ? [...shown, `# … and ${lines.length - MOST_GONE} more lines went out`] : shown;
}

/** The nearest line above that is less indented than the changed lines. */
function parentOf(before: readonly string[], { at, remove, insert }: LineEdit): string | undefined {
  const changed = [...before.slice(at, at + remove), ...insert].filter((line) => !isNote(line));
  const depth = Math.min(...changed.map(indentOf));
  for (let above = at - 1; above >= 0 && Number.isFinite(depth); above -= 1) {
    const line = before[above] ?? '';
    if (!isNote(line) && indentOf(line) < depth) return line;
  }
  return undefined;
}

const isNote = (line: string): boolean => line.startsWith('#') || line === '';
const indentOf = (line: string): number => line.length - line.trimStart().length;
