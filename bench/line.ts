import { median, percentile } from './row';

/** The measurement of one side. `Infinity` means "not within the waiting time". */
export interface Figure {
  readonly median: number;
  /** Absent where one number is the whole figure, for example a size. */
  readonly p95?: number;
  /** Number of samples, or a text such as `3 rounds`. */
  readonly count: number | string;
}

/** The target, and whether this run meets it. */
export interface Reach {
  readonly text: string;
  readonly met: boolean;
}

/** One line of the table: the baseline (a plain script unless `what` names another) and ours. */
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

/** A target without a quantile applies to the p95 as well. */
export function atMost(limitMs: number, ours: Figure, text: string): Reach {
  return { text, met: (ours.p95 ?? ours.median) <= limitMs };
}
