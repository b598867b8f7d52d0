import { describe, expect, it } from 'vitest';
import { readCounters } from './counters';

const METRICS = `# HELP wheelhouse_evaluate_seconds Evaluations
# TYPE wheelhouse_evaluate_seconds histogram
wheelhouse_evaluate_seconds_bucket{le="0.1",engine="cdp",end="ok"} 3
wheelhouse_evaluate_seconds_sum{engine="cdp",end="ok"} 0.3
wheelhouse_evaluate_seconds_count{engine="cdp",end="ok"} 3
wheelhouse_evaluate_seconds_sum{engine="cdp",end="timeout"} 0.5
wheelhouse_evaluate_seconds_count{engine="cdp",end="timeout"} 1
wheelhouse_evaluate_timeouts_total 1
wheelhouse_evaluate_aborts_total 0
wheelhouse_evaluate_terminations_total{step="sent"} 2
wheelhouse_evaluate_terminations_total{step="acknowledged"} 1
`;

describe('the counters of scripts', () => {
  it('[EV8] are summed over their labels; what is not there is none', () => {
    expect(readCounters(METRICS)).toEqual({
      runs: 4,
      meanMs: 200,
      timeouts: 1,
      aborts: 0,
      terminated: 1,
      fallbacks: 0,
    });
    expect(readCounters('')).toMatchObject({ runs: 0, meanMs: undefined });
  });
});
