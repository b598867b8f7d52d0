import { describe, expect, it } from 'vitest';
import { ageOf, ageSince } from './when';

describe('ageOf', () => {
  it.each([
    [0, { unit: 'now', n: 0 }],
    [999, { unit: 'now', n: 0 }],
    [1_000, { unit: 'seconds', n: 1 }],
    [59_999, { unit: 'seconds', n: 59 }],
    [60_000, { unit: 'minutes', n: 1 }],
    [3_599_999, { unit: 'minutes', n: 59 }],
    [3_600_000, { unit: 'hours', n: 1 }],
    [86_399_999, { unit: 'hours', n: 23 }],
    [86_400_000 * 3, { unit: 'days', n: 3 }],
  ])('says %i ms in one unit', (ms, age) => {
    expect(ageOf(ms)).toEqual(age);
  });

  it('takes the future and the unreadable as now: clocks differ', () => {
    expect(ageOf(-5_000)).toEqual({ unit: 'now', n: 0 });
    expect(ageSince('not a time', 5_000)).toEqual({ unit: 'now', n: 0 });
  });
});

describe('ageSince', () => {
  it('measures from an ISO time', () => {
    expect(ageSince('2026-11-21T08:00:00.000Z', Date.parse('2026-11-21T08:00:41.500Z'))).toEqual({
      unit: 'seconds',
      n: 41,
    });
  });
});
