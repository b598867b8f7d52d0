import { expect, it } from 'vitest';
import { gapBetween } from './gap';

it.each([
  ['您', '加入了', ''],
  ['buyer-bot', '加入了', ' '],
  ['李雷', 'clicked', ' '],
  ['You', 'joined', ' '],
  ['', '', ' '],
])('[ui] between %j and %j stands %j', (before, after, gap) => {
  expect(gapBetween(before, after)).toBe(gap);
});
