import { describe, expect, it } from 'vitest';
import { ACTION_KINDS, kindOf } from '@/lib/actions/kinds';
import { BUDGET_LIMITS, clampTimeout } from './limits';

describe('limits of budgets', () => {
  it('[BU5] are 50 ms to 120 s, the default and the time to read between them', () => {
    const { minMs, readMs, defaultMs, maxMs, graceMs } = BUDGET_LIMITS;
    expect([minMs, maxMs, graceMs]).toEqual([50, 120_000, 100]);
    expect([minMs, readMs, defaultMs, maxMs]).toEqual([minMs, readMs, defaultMs, maxMs].toSorted((a, b) => a - b));
  });

  it.each([
    [undefined, 20_000],
    [1, 50],
    [50, 50],
    [1_234.6, 1_235],
    [120_001, 120_000],
    [Number.POSITIVE_INFINITY, 120_000],
    [-5, 50],
  ])('[BU5] %s becomes %i', (wanted, clamped) => {
    expect(clampTimeout(wanted)).toBe(clamped);
  });

  it('[BU5] uses a fallback only when the caller asks for no time', () => {
    expect([clampTimeout(undefined, 5_000), clampTimeout(70, 5_000)]).toEqual([5_000, 70]);
  });

  it('[BU5] every kind of action has a default within them', () => {
    for (const { timeoutMs } of ACTION_KINDS.map((kind) => kindOf({ kind })))
      expect(clampTimeout(timeoutMs)).toBe(timeoutMs);
  });
});
