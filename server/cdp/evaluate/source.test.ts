import { expect, it } from 'vitest';
import { actsInPage } from './source';

it.each(['1 + 1', 'document.title', '() => location.href', 'window.a?.b - 2', 'return document.title'])(
  '[EV5] %s only reads, which is no gesture of a person',
  (fn) => {
    expect(actsInPage(fn)).toBe(false);
  },
);

it.each([
  'open("/x")',
  '() => { a = 1 }',
  'n++',
  'n--',
  'a.b += 1',
  'new Audio',
  'delete a.b',
  'tag`x`',
  '(e) => e',
  'x'.repeat(300),
])('[EV5] %s may do something', (fn) => {
  expect(actsInPage(fn)).toBe(true);
});
