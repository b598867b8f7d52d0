import type { PrintedLine, PrintedRef } from './line';

interface OpenLineInit {
  /** Up to the states. */
  readonly head: string;
  /** From the ref on. */
  readonly tail: string;
  readonly level: number;
  readonly interactive: boolean;
  readonly ref: PrintedRef | undefined;
  /** `unplaced`: text, which is where its neighbours are. */
  readonly place: 'here' | 'away' | 'unplaced';
  readonly covered: boolean;
  readonly isNew: boolean;
}

/** A line for which it is not decided yet how to mark that it is out of view. */
export class OpenLine {
  #plain: PrintedLine | undefined;
  #marked: PrintedLine | undefined;

  constructor(readonly of: OpenLineInit) {}

  /** Text and containers without a ref do not carry the mark: it would cost more than it tells. */
  get saysSo(): boolean {
    return this.of.place === 'away' && this.of.ref !== undefined;
  }

  line(marked: boolean): PrintedLine {
    const { head, tail, level, interactive, ref } = this.of;
    if (marked) return (this.#marked ??= { text: `${head} [offscreen]${tail}`, level, interactive, ref });
    return (this.#plain ??= { text: `${head}${tail}`, level, interactive, ref });
  }
}

/**
 * From this many marks in a row on, two notes around the lines replace them: on a long page most lines are out of view.
 */
const RUN = 5;
const BEGIN: PrintedLine = { text: '# offscreen:', level: 0, interactive: false, ref: undefined };
const END: PrintedLine = { text: '# in view:', level: 0, interactive: false, ref: undefined };

/**
 * Marks the lines that are out of view (SN2): `[offscreen]` on one that has a ref, `# offscreen:` before many, up to `#
 * in view:`.
 */
export function placeLines(lines: readonly OpenLine[]): PrintedLine[] {
  const placed: PrintedLine[] = [];
  let end = 0;
  for (let at = 0; at < lines.length; at = end) {
    end = runEnd(lines, at);
    const run = lines.slice(at, end);
    if (run.filter((line) => line.saysSo).length >= RUN) {
      placed.push(BEGIN);
      for (const line of run) placed.push(line.line(false));
      if (end < lines.length) placed.push(END);
    } else {
      for (const line of run) placed.push(line.line(line.saysSo));
    }
  }
  return placed;
}

/** The end of the run that begins at `at`: of lines that are all out of view, or all in view. */
function runEnd(lines: readonly OpenLine[], at: number): number {
  const other = lines[at]?.of.place === 'away' ? 'here' : 'away';
  let end = at + 1;
  while (end < lines.length && lines[end]?.of.place !== other) end += 1;
  return end;
}
