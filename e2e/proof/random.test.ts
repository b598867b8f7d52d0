import { describe, expect, it } from 'vitest';
import { Random } from './random';

describe('Random', () => {
  it('gives the same numbers for the same seed, others for another', () => {
    const numbers = (from: number): number[] => {
      const random = new Random(from);
      return Array.from({ length: 20 }, () => random.between(1, 6));
    };

    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(8)).not.toEqual(numbers(7));
    expect(new Set(numbers(7))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
