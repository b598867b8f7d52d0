import { frameBench } from './frames';
import { ROUNDS } from './lib/rounds';
import { ratioAtLeast, ratioAtMost, single, type BenchLine, type Reach } from './line';
import type { BenchRow } from './row';

/** The lines of `frameBench`, which opens a Chrome of its own, in the form of the table. */
export async function pictureLines(): Promise<BenchLine[]> {
  return (await frameBench()).map(pictureLine);
}

/** Reads the aim from the row's note: `aim: ratio 0.9`, `aim: raw + 8 ms`. */
export function pictureLine(row: BenchRow): BenchLine {
  const [remark, aim] = splitNote(row.note ?? '');
  const count = `${ROUNDS} rounds`;
  const line = {
    what: remark === '' ? row.name : `${row.name} (${remark})`,
    unit: row.unit,
    base: single(row.raw, count),
    ours: single(row.ours, count),
  };
  return aim === '' ? line : { ...line, reach: reachOf(aim, line) };
}

/** `compared with plain ws; aim: ratio 2.2` */
function splitNote(note: string): [remark: string, aim: string] {
  const parts = note.split('; ').filter((part) => part !== '');
  const isAim = (part: string): boolean => part.startsWith('aim: ');
  return [parts.filter((part) => !isAim(part)).join('; '), parts.find(isAim)?.slice('aim: '.length) ?? ''];
}

/** Throws for an aim that it cannot parse: a line without its mark would look as if it had no target. */
function reachOf(aim: string, line: BenchLine): Reach {
  const added = /^raw \+ ([\d.]+) ms$/.exec(aim)?.[1];
  if (added !== undefined) return { text: aim, met: line.ours.median <= line.base.median + Number(added) };
  const ratio = /^ratio ([\d.]+)$/.exec(aim)?.[1];
  if (ratio === undefined) throw new Error(`No reach can be read from "${aim}".`);
  return line.unit === 'per second' ? ratioAtLeast(Number(ratio), line) : ratioAtMost(Number(ratio), line);
}
