import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest';

describe('nearest', () => {
  const kinds = ['click', 'check', 'type', 'tab', 'navigate', 'screenshot'];

  it.each([
    ['clik', 'click'],
    ['CLICK', 'click'],
    ['navigte', 'navigate'],
    ['screen_shot', 'screenshot'],
    ['frobnicate', undefined],
    ['', undefined],
  ])('[AC8] %j may have meant %j', (wrong, name) => {
    expect(nearest(wrong, kinds)[0]).toBe(name);
  });

  it('[AC8] suggests nothing for a long text', () => {
    expect(nearest('x'.repeat(10_000), kinds)).toEqual([]);
    expect(nearest('x'.repeat(41), kinds)).toEqual([]);
  });

  it('[AC8] gives at most as many as asked for, closest first', () => {
    expect(nearest('tap', ['tab', 'tip', 'top', 'map'], 3)).toHaveLength(3);
    expect(nearest('cheks', ['click', 'check'])[0]).toBe('check');
  });

  it('[AC8] measures edits', () => {
    expect([editDistance('', 'abc'), editDistance('kitten', 'sitting'), editDistance('same', 'same')]).toEqual([
      3, 3, 0,
    ]);
  });
});
