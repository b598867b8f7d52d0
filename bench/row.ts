/** One line of the table: ours beside a plain script, measured on the same machine in the same run. */
export interface BenchRow {
  readonly name: string;
  readonly raw: number;
  readonly ours: number;
  /** ours / raw. */
  readonly ratio: number;
  readonly unit: string;
  readonly note?: string;
}

export function benchRow(name: string, raw: number, ours: number, unit: string, note?: string): BenchRow {
  return {
    name,
    raw: rounded(raw),
    ours: rounded(ours),
    ratio: Math.round((ours / raw) * 100) / 100,
    unit,
    ...(note === undefined ? {} : { note }),
  };
}

/** The value below which `share` (0 to 1) of the samples lie. Throws RangeError without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError('No samples were taken.');
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
