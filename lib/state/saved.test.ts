import { describe, expect, it } from 'vitest';
import { SAVED_LIMITS, within, type SavedOrigin } from './saved';

const origin = (name: string, chars: number): SavedOrigin => ({
  origin: `https://${name}`,
  entries: chars === 0 ? [] : [['k', 'v'.repeat(chars - 1)]],
});
const names = (origins: readonly SavedOrigin[]): string[] => origins.map((one) => one.origin.slice(8));

describe('saved local storage', () => {
  it('[BR5] is complete when it is small, in the order of visits', () => {
    expect(names(within([origin('a', 10), origin('b', 0), origin('c', 5)]))).toEqual(['a', 'b', 'c']);
  });

  it('[BR5] is bounded: it leaves out an origin with too much, and of too many origins those visited longest ago', () => {
    const many = Array.from({ length: SAVED_LIMITS.origins + 2 }, (_, index) => origin(String(index), 1));
    const large = ['a', 'b', 'c', 'd', 'e'].map((name) => origin(name, SAVED_LIMITS.originChars));

    expect(names(within([origin('big', SAVED_LIMITS.originChars + 1), origin('small', 1)]))).toEqual(['small']);
    expect(names(within(many)).slice(0, 2)).toEqual(['2', '3']);
    expect(names(within(large))).toEqual(['b', 'c', 'd', 'e']);
  });
});
