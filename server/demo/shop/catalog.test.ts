import { describe, expect, it } from 'vitest';
import { filterProducts, money, type Filter } from '@/server/demo/shop/catalog';

const ALL: Filter = {
  query: '',
  department: undefined,
  light: undefined,
  atMost: undefined,
  petSafe: false,
  sort: 'name',
};

const names = (filter: Partial<Filter>): readonly string[] =>
  filterProducts({ ...ALL, ...filter }).map(({ name }) => name);

describe('filterProducts', () => {
  it('[DM1] finds by words, in any case', () => {
    expect(names({ query: 'FERN' })).toEqual(['Boston fern']);
  });

  it('[DM1] needs every word', () => {
    expect(names({ query: 'fern desert' })).toEqual([]);
  });

  it('[DM1] keeps all filters at once, and the order', () => {
    expect(names({ department: 'plants', light: 'bright', atMost: 2_000, sort: 'dearest' })).toEqual([
      'String of pearls',
      'Aloe vera',
    ]);
  });

  it('[DM1] keeps products that are safe for pets', () => {
    expect(names({ department: 'plants', petSafe: true })).toEqual(['Boston fern']);
  });
});

describe('money', () => {
  it.each([
    [2_400, '£24'],
    [1_250, '£12.50'],
    [0, '£0'],
  ])('[DM1] %i pence is %s', (pence, text) => {
    expect(money(pence)).toBe(text);
  });
});
