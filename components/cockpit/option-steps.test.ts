import { describe, expect, it } from 'vitest';
import { findByTyping, stepOption } from './option-steps';

const options = ['Choose', 'Ireland', 'Italy', 'Iceland', 'United Kingdom'].map((label, index) => ({
  label,
  disabled: index === 0 || index === 2,
}));

describe('the keys of a select menu', () => {
  it.each([
    ['ArrowDown', 1, 3],
    ['ArrowUp', 3, 1],
    ['ArrowUp', 1, 1],
    ['ArrowDown', 4, 4],
    ['Home', 4, 1],
    ['End', 1, 4],
    ['PageDown', 1, 4],
    ['PageUp', 4, 1],
  ])('[DI3] %s from %d goes to %d, past what cannot be chosen', (key, from, to) => {
    expect(stepOption(options, from, key)).toBe(to);
  });

  it('[DI3] letters find the next option that begins so; one letter again goes on', () => {
    expect([
      findByTyping(options, 4, 'i'),
      findByTyping(options, 1, 'ii'),
      findByTyping(options, 1, 'ice'),
      findByTyping(options, 1, 'x'),
    ]).toEqual([1, 3, 3, undefined]);
  });
});
