import { describe, expect, it } from 'vitest';
import { consoleRows, findRows, placeOf } from './rows';

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const rows = consoleRows(
  [
    { id: 1, rev: 1, at: at(1), level: 'log', source: 'log', text: 'Hello' },
    { id: 2, rev: 2, at: at(3), level: 'warning', source: 'warning', text: 'careful' },
  ],
  [{ id: 1, rev: 1, at: at(2), text: 'Error: oops', stack: '    at a.js:1', rejection: false }],
);

describe('the rows of the console', () => {
  it('[PS1] lines and errors stand in the order in which they came', () => {
    expect(rows.map(({ key, level, text }) => [key, level, text])).toEqual([
      ['line 1', 'log', 'Hello'],
      ['error 1', 'error', 'Error: oops\n    at a.js:1'],
      ['line 2', 'warning', 'careful'],
    ]);
  });

  it('[PS1] are found by level and by text in any case', () => {
    expect(
      [findRows(rows, 'warnings', ''), findRows(rows, 'errors', ''), findRows(rows, 'all', 'HELL')].map((found) =>
        found.map(({ key }) => key),
      ),
    ).toEqual([['error 1', 'line 2'], ['error 1'], ['line 1']]);
  });

  it.each([
    [{ url: 'https://shop.test/js/app.js?v=1', line: 12, column: 3 }, 'app.js:12'],
    [{ url: 'https://shop.test/', line: 1, column: 1 }, 'https://shop.test/:1'],
    [undefined, ''],
  ])('[PS1] %j is told as %j', (where, told) => {
    expect(placeOf(where)).toBe(told);
  });
});
