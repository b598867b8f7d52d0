import { describe, expect, it } from 'vitest';
import { coreShares, coreTimes, readStat } from './cores.mjs';

describe('how the cores were used', () => {
  it('reads what the host took from the line of all cores', () => {
    const stat = 'cpu  100 10 20 300 5 0 5 60 7 0\ncpu0 50 5 10 150 2 0 2 30 3 0\nintr 1\n';

    expect(readStat(stat)).toEqual({ all: 500, idle: 305, taken: 60 });
  });

  it('gives shares of the time between two looks', () => {
    const before = { all: 1_000, idle: 400, taken: 100 };

    expect(coreShares(before, { all: 1_200, idle: 420, taken: 130 })).toEqual({ busy: 0.9, taken: 0.15 });
  });

  it('divides by nothing when both looks fall into one tick', () => {
    const now = coreTimes();

    expect(coreShares(now, now)).toEqual({ busy: 1, taken: 0 });
  });
});
