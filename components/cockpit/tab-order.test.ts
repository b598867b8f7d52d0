import { expect, it } from 'vitest';
import { inOrder, movedTo } from './tab-order';

const tabs = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const ids = (order: readonly string[]) =>
  inOrder(tabs, order)
    .map(({ id }) => id)
    .join('');

it('[ui] tabs lie as they were laid; new ones come after, and ones that are gone leave no gap', () => {
  expect([ids([]), ids(['c', 'a', 'b', 'd']), ids(['d', 'gone', 'b'])]).toEqual(['abcd', 'cabd', 'dbac']);
});

it('[ui] a tab is moved to a place among the others, and not beyond either end', () => {
  const places = [-1, 0, 2, 9].map((to) => movedTo(['a', 'b', 'c'], 'b', to).join(''));
  expect([...places, movedTo(['a', 'b'], 'gone', 0).join('')]).toEqual(['bac', 'bac', 'acb', 'acb', 'ab']);
});
