import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxToPage, fillScale, fitPicture, pageToBox } from './picture';

const page = { width: 1_280, height: 633 };

describe('fitPicture', () => {
  it('[FR4] fills the box in one direction and is centred in the other, without stretching', () => {
    expect(fitPicture(page, { width: 640, height: 633 })).toEqual({ left: 0, top: 158.25, scale: 0.5 });
    expect(fitPicture({ width: 100, height: 200 }, { width: 400, height: 400 })).toEqual({
      left: 100,
      top: 0,
      scale: 2,
    });
  });

  it('[FR4] grows no further than asked', () => {
    expect(fitPicture({ width: 100, height: 100 }, { width: 400, height: 300 }, 1)).toEqual({
      left: 150,
      top: 100,
      scale: 1,
    });
  });

  it('[FR4] has no size to go by before the first frame', () => {
    expect(fitPicture({ width: 0, height: 0 }, { width: 400, height: 300 })).toEqual({ left: 0, top: 0, scale: 1 });
  });
});

describe('fillScale', () => {
  it('[FR4] is as high as the box, or as wide where that is larger, and no larger than the page itself', () => {
    const scales = [
      { width: 390, height: 412 },
      { width: 652, height: 112 },
      { width: 4_000, height: 4_000 },
    ].map((box) => fillScale({ width: 1_280, height: 800 }, box));
    expect(scales).toEqual([0.5, 0.5, 1]);
    expect(fillScale({ width: 0, height: 0 }, { width: 400, height: 300 })).toBe(1);
  });
});

describe('boxToPage', () => {
  const placement = fitPicture(page, { width: 640, height: 400 });

  it('[FR4] finds the page under the picture, the bars taken off', () => {
    expect(boxToPage({ x: 320, y: 200 }, placement, page)).toEqual({ x: 640, y: 316.5 });
    expect(boxToPage({ x: 0, y: placement.top }, placement, page)).toEqual({ x: 0, y: 0 });
  });

  it.each([
    ['above', { x: 320, y: placement.top - 0.1 }],
    ['below', { x: 320, y: 400 - placement.top }],
    ['left of', { x: -0.1, y: 200 }],
    ['right of', { x: 640, y: 200 }],
  ])('[FR4] gives no point %s the picture: a page of 1280 pixels ends at 1279', (_, point) => {
    expect(boxToPage(point, placement, page)).toBeUndefined();
  });

  it('[FR4] gives no point while the box has no size', () => {
    expect(boxToPage({ x: 0, y: 0 }, fitPicture(page, { width: 0, height: 0 }), page)).toBeUndefined();
  });

  it('[FR4] is undone by pageToBox', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 4_000 }), height: fc.integer({ min: 1, max: 4_000 }) });
    const part = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(size, size, part, part, (one, box, across, down) => {
        const place = fitPicture(one, box);
        const there = { x: one.width * across, y: one.height * down };
        const back = boxToPage(pageToBox(there, place), place, one);
        // Rounding may put a point of the very edge just outside.
        if (back === undefined) return across < 1e-9 || down < 1e-9;
        return Math.abs(back.x - there.x) < 1e-6 && Math.abs(back.y - there.y) < 1e-6;
      }),
    );
  });
});
