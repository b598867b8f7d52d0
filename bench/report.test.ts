import { describe, expect, it } from 'vitest';
import { figure, ratioAtMost, type BenchLine } from './line';
import { pictureLine } from './pictures';
import { table } from './report';
import { benchRow } from './row';

const sides = { base: figure([1, 2, 3, 4, 5]), ours: figure([2, 4, 6, 8, 10]) };
const LINE: BenchLine = { what: 'a thing', unit: 'ms', ...sides, reach: ratioAtMost(1.9, sides) };

describe('the table of the benchmark', () => {
  it('shows medians with p95, counts, the ratio, and a missed reach as missed', () => {
    expect(table([LINE]).split('\n')).toEqual([
      '| what    | unit | samples | plain script    | Wheelhouse      | ratio | reach         |',
      '|---------|------|---------|-----------------|-----------------|-------|---------------|',
      '| a thing | ms   | 5       | 3.00 (p95 5.00) | 6.00 (p95 10.0) | 2.00  | at most 1.9 ✗ |',
    ]);
  });

  it('shows a small figure with as many digits as a large one', () => {
    const cost: BenchLine = { what: 'cost', unit: 'ms', base: figure([0.03]), ours: figure([0.0841]) };

    expect(table([cost]).split('\n').at(-1)).toBe(
      '| cost | ms   | 1       | 0.030 (p95 0.030) | 0.084 (p95 0.084) | 2.80  | –     |',
    );
  });

  it('says never where the plain script was waited for in vain, and gives no ratio', () => {
    const hang: BenchLine = {
      what: 'hang',
      unit: 'ms',
      base: figure([Infinity, Infinity, Infinity]),
      ours: sides.ours,
    };

    expect(table([hang]).split('\n').at(-1)).toBe(
      '| hang | ms   | 3 and 5 | never        | 6.00 (p95 10.0) | –     | –     |',
    );
  });
});

describe('a row of the picture benchmark', () => {
  const cases = [
    [benchRow('rate', 60, 54, 'per second', 'aim: ratio 0.9'), { text: 'at least 0.9', met: true }],
    [
      benchRow('rate', 60, 53, 'per second', 'compared with ours alone; aim: ratio 0.9'),
      { text: 'at least 0.9', met: false },
    ],
    [benchRow('cost', 1, 2.3, 'ms', 'aim: ratio 2.2'), { text: 'at most 2.2', met: false }],
    [benchRow('delay', 20, 28, 'ms', 'aim: raw + 8 ms'), { text: 'raw + 8 ms', met: true }],
    [benchRow('delay', 20, 28.1, 'ms', 'aim: raw + 8 ms'), { text: 'raw + 8 ms', met: false }],
    [benchRow('delay', 20, 28.1, 'ms'), undefined],
  ] as const;

  for (const [row, reach] of cases) {
    it(`has the mark of its aim: ${row.name} ${row.ours} beside ${row.raw}, ${row.note ?? 'no aim'}`, () => {
      expect(pictureLine(row).reach).toEqual(reach);
    });
  }

  it('is refused when its aim cannot be read', () => {
    expect(() => pictureLine(benchRow('rate', 60, 60, 'per second', 'aim: as good as raw'))).toThrow(
      'No reach can be read',
    );
  });
});
