import { median, percentile } from './row';

/** What was measured on one side. `Infinity` stands for "never within the time that was waited". */
export interface Figure {
  readonly median: number;
  /** Absent where one number is the whole figure, for example a size. */
  readonly p95?: number;
  /** How many samples, or what was done instead: `3 rounds`. */
  readonly count: number | string;
}

/** What quality.md asks for, and whether this run has it. */
export interface Reach {
  readonly text: string;
  readonly met: boolean;
}

/** One line of the table: the baseline, a plain script unless `what` names another, and ours beside it. */
export interface BenchLine {
  readonly what: string;
  readonly unit: string;
  readonly base: Figure;
  readonly ours: Figure;
  readonly reach?: Reach;
}

/** Throws RangeError without samples. */
export function figure(samples: readonly number[]): Figure {
  return { median: median(samples), p95: percentile(samples, 0.95), count: samples.length };
}

export function single(value: number, count: number | string = 1): Figure {
  return { median: value, count };
}

export function ratioOf({ base, ours }: Pick<BenchLine, 'base' | 'ours'>): number {
  return ours.median / base.median;
}

export function ratioAtMost(limit: number, sides: Pick<BenchLine, 'base' | 'ours'>): Reach {
  return { text: `at most ${limit}`, met: ratioOf(sides) <= limit };
}

export function ratioAtLeast(limit: number, sides: Pick<BenchLine, 'base' | 'ours'>): Reach {
  return { text: `at least ${limit}`, met: ratioOf(sides) >= limit };
}

/** Where quality.md gives no quantile, the p95 has to keep it as well. */
export function atMost(limitMs: number, ours: Figure, text: string): Reach {
  return { text, met: (ours.p95 ?? ours.median) <= limitMs };
}
