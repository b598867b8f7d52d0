import { describe, expect, it } from 'vitest';
import { searchByRegex } from './regex-search';

describe('searchByRegex', () => {
  it('[SN9] finds lines whatever the case', () => {
    expect([...searchByRegex('^button "add \\d+"', ['button "Add 1" [ref=e1]', 'link "Add 2"', 'button "Added"', 'BUTTON "ADD 77"'])]).toEqual([0, 3]);
  });

  it.each(['(', '[z-a]', '\\p{Nothing}'])('[AC8] %s is refused by name', (pattern) => {
    expect(() => searchByRegex(pattern, ['x'])).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('is not a regular expression') }));
  });

  it('[SN9] a pattern that would never end is given up before anything else waits', () => {
    const order: string[] = [];
    const marker = setTimeout(() => order.push('marker'), 2_000);
    expect(() => searchByRegex('^(a+)+$', [`${'a'.repeat(60)}!`])).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('takes too long') }));
    order.push('refused');
    clearTimeout(marker);
    expect(order).toEqual(['refused']);
  });

  it('[GU3] a pattern and page text stay text', () => {
    expect([...searchByRegex("'\\); globalThis", ["'); globalThis.process.exit(1); ('", '${process.exit(1)}'])]).toEqual([0]);
  });
});
