import { describe, expect, it } from 'vitest';
import { whyDropped, type Aim, type Dropped } from './first-click';

const AIMED: Aim = {
  geometry: 4,
  document: 'D1',
  inner: 'D1',
  node: 17,
  box: { left: -20, top: -8, width: 80, height: 24 },
  view: '1280x720@1',
  words: 'button Buy',
};

describe('whyDropped', () => {
  it('[FR4] makes the press when everything is as it was, or moved by less than a pixel', () => {
    expect(whyDropped(AIMED, { ...AIMED })).toBeUndefined();
    expect(whyDropped(AIMED, { ...AIMED, box: { ...AIMED.box, left: -20.4 } })).toBeUndefined();
  });

  it.each<[Dropped, Partial<Aim>]>([
    ['page', { document: 'D2', inner: 'D2', geometry: 5 }],
    ['size', { geometry: 5 }],
    ['size', { view: '1280x600@1' }],
    ['element', { node: 18 }],
    ['element', { inner: 'F2' }],
    ['moved', { box: { ...AIMED.box, top: -40 } }],
    ['moved', { box: { ...AIMED.box, width: 90 } }],
    ['changed', { words: 'button Delete' }],
  ])('[FR4] drops it as "%s" for %j', (why, change) => {
    expect(whyDropped(AIMED, { ...AIMED, ...change })).toBe(why);
  });

  it('[FR4] drops it when nothing is at the point any more', () => {
    expect(whyDropped(AIMED, undefined)).toBe('element');
  });
});
