/** How scripts ended on this server since it started (EV8). */
export interface EvaluateCounters {
  readonly runs: number;
  /** Mean of all runs, milliseconds; undefined before the first. */
  readonly meanMs: number | undefined;
  readonly timeouts: number;
  readonly aborts: number;
  /** Terminations of stuck scripts that Chrome acknowledged. */
  readonly terminated: number;
  readonly fallbacks: number;
}

/** Reads the counters from the server's metrics. Source: Prometheus text format 0.0.4. */
export function readCounters(metrics: string): EvaluateCounters {
  const lines = metrics.split('\n');
  const runs = sum(lines, 'wheelhouse_evaluate_seconds_count');
  const seconds = sum(lines, 'wheelhouse_evaluate_seconds_sum');
  return {
    runs,
    meanMs: runs === 0 ? undefined : (seconds / runs) * 1_000,
    timeouts: sum(lines, 'wheelhouse_evaluate_timeouts_total'),
    aborts: sum(lines, 'wheelhouse_evaluate_aborts_total'),
    terminated: sum(lines, 'wheelhouse_evaluate_terminations_total', 'step="acknowledged"'),
    fallbacks: sum(lines, 'wheelhouse_evaluate_fallbacks_total'),
  };
}

/** Adds up the samples of a metric over all labels, or those that have this label. */
function sum(lines: readonly string[], name: string, label = ''): number {
  const samples = lines.filter(
    (line) => (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) && line.includes(label),
  );
  return samples.reduce((total, line) => total + (Number(line.slice(line.lastIndexOf(' ') + 1)) || 0), 0);
}
