import type { PrintedRef } from './format';

/** A line before it is decided how to say that it is out of view. */
export interface OpenLine {
  /** Up to the states. */
  readonly head: string;
  /** From the ref on. */
  readonly tail: string;
  readonly level: number;
  readonly interactive: boolean;
  readonly ref: PrintedRef | undefined;
  /** Only what can be asked for by ref is placed; text is where its neighbours are. */
  readonly place: 'here' | 'away' | 'unplaced';
}

/** One printed line, without its line end. */
export interface Line {
  readonly text: string;
  readonly level: number;
  readonly interactive: boolean;
  readonly ref: PrintedRef | undefined;
}

/** From this many marks in a row on, two notes around them say it for all: on a long page most lines are out of view. */
const RUN = 5;
const BEGIN: Line = { text: '# offscreen:', level: 0, interactive: false, ref: undefined };
const END: Line = { text: '# in view:', level: 0, interactive: false, ref: undefined };

/** Says which lines are out of view (SN2): `[offscreen]` on one, `# offscreen:` before many, up to `# in view:`. */
export function placeLines(lines: readonly OpenLine[]): Line[] {
  const placed: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = runEnd(lines, at);
    const run = lines.slice(at, Math.max(end, at + 1));
    if (run.filter((line) => line.place === 'away').length >= RUN) {
      placed.push(BEGIN, ...run.map((line) => closed(line, false)));
      if (end < lines.length) placed.push(END);
    } else {
      placed.push(...run.map((line) => closed(line, line.place === 'away')));
    }
    at = Math.max(end, at + 1);
  }
  return placed;
}

/** Where the run of lines out of view that begins here ends, just after its last one; `at` itself when none begins here. */
function runEnd(lines: readonly OpenLine[], at: number): number {
  if (lines[at]?.place !== 'away') return at;
  let end = at;
  for (let next = at; next < lines.length && lines[next]?.place !== 'here'; next += 1) {
    if (lines[next]?.place === 'away') end = next + 1;
  }
  return end;
}

function closed({ head, tail, level, interactive, ref }: OpenLine, marked: boolean): Line {
  return { text: marked ? `${head} [offscreen]${tail}` : `${head}${tail}`, level, interactive, ref };
}
