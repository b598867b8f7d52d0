import { describe, expect, it } from 'vitest';
import { columnsOf, nextCard } from './grid-keys';

/** 7 cards in rows of 3: 0 1 2 / 3 4 5 / 6. */
const go = (key: string, index: number) => nextCard(key, index, 7, 3);

describe('nextCard', () => {
  it('[ui: wall] arrows move by card and by row', () => {
    expect([go('ArrowRight', 0), go('ArrowLeft', 4), go('ArrowDown', 1), go('ArrowUp', 4)]).toEqual([1, 3, 4, 1]);
  });

  it('stays at the edges', () => {
    expect([go('ArrowLeft', 0), go('ArrowUp', 2), go('ArrowRight', 6), go('ArrowDown', 6)]).toEqual([0, 2, 6, 6]);
  });

  it('goes down into a shorter last row', () => {
    expect(go('ArrowDown', 5)).toBe(6);
  });

  it('Home and End go to the first and the last', () => {
    expect([go('Home', 4), go('End', 4)]).toEqual([0, 6]);
  });

  it('starts at the first card when none has the focus', () => {
    expect(go('ArrowDown', -1)).toBe(0);
  });

  it('leaves other keys, and an empty grid, alone', () => {
    expect(go('a', 2)).toBeUndefined();
    expect(nextCard('ArrowDown', -1, 0, 1)).toBeUndefined();
  });
});

describe('columnsOf', () => {
  it('counts the cards of the first row', () => {
    expect(columnsOf([0, 0, 0, 90, 90])).toBe(3);
    expect(columnsOf([0, 0])).toBe(2);
    expect(columnsOf([])).toBe(1);
  });
});
