import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaOf, mapOf, middleOf, quadOf, type Quad } from './quad';

const turned: Quad = [
  { x: 10, y: 0 },
  { x: 20, y: 10 },
  { x: 10, y: 20 },
  { x: 0, y: 10 },
];

describe('mapOf', () => {
  it('[SN5] maps corners of the square to those of the quad, and for a rotated one the middle to the middle', () => {
    const { outward } = mapOf(turned);
    expect([outward({ x: 0, y: 0 }), outward({ x: 1, y: 1 }), outward({ x: 0.5, y: 0.5 })]).toEqual([
      { x: 10, y: 0 },
      { x: 10, y: 20 },
      { x: 10, y: 10 },
    ]);
  });

  it('[SN5] maps a tilted quad in perspective: nearer parts take more room', () => {
    const trapezoid: Quad = [
      { x: 40, y: 0 },
      { x: 60, y: 0 },
      { x: 100, y: 100 },
      { x: 0, y: 100 },
    ];
    expect(mapOf(trapezoid).outward({ x: 0.5, y: 0.5 }).y).toBeLessThan(50);
  });

  it('[SN5] maps a point back to itself by the inverse, for any convex quad', () => {
    const part = fc.double({ min: 0.1, max: 0.4, noNaN: true });
    const inside = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(part, part, part, part, inside, inside, (a, b, c, d, x, y) => {
        const { outward, inward } = mapOf([
          { x: a * 100, y: b * 100 },
          { x: 100 - c * 100, y: d * 100 },
          { x: 100 - a * 80, y: 100 - b * 80 },
          { x: c * 80, y: 100 - d * 80 },
        ]);
        const back = inward(outward({ x, y }));
        expect(back?.x).toBeCloseTo(x, 6);
        expect(back?.y).toBeCloseTo(y, 6);
      }),
    );
  });
});

it("[SN5] quadOf reads CDP's quads, and refuses one without an area", () => {
  expect(quadOf([0, 0, 10, 0, 10, 5, 0, 5])).toEqual([
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 5 },
    { x: 0, y: 5 },
  ]);
  expect([quadOf([0, 0, 10, 0, 10, 0, 0, 0]), quadOf([1, 2])]).toEqual([undefined, undefined]);
  expect([areaOf(turned), middleOf(turned)]).toEqual([200, { x: 10, y: 10 }]);
});
