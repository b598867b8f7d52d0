import { describe, expect, it } from 'vitest';
import { fitPicture } from '@/lib/geometry/picture';
import { toPagePoint } from './page-point';

const page = { width: 1_280, height: 633 };
const placement = fitPicture(page, { width: 640, height: 400 });

describe('aim', () => {
  it('[FR4] maps by the size that came with the frame, letterbox taken off', () => {
    expect(toPagePoint({ x: 320, y: 200 }, placement, page, false)).toEqual({ x: 640, y: 316.5 });
    expect(toPagePoint({ x: 0, y: placement.top }, placement, page, false)).toEqual({ x: 0, y: 0 });
  });

  it('aims at nothing in the bars beside the picture', () => {
    expect(toPagePoint({ x: 320, y: 10 }, placement, page, false)).toBeUndefined();
    expect(toPagePoint({ x: 700, y: 200 }, placement, page, false)).toBeUndefined();
  });

  it('keeps a drag that leaves the picture at its edge', () => {
    expect(toPagePoint({ x: 900, y: -50 }, placement, page, true)).toEqual({ x: 1_279, y: 0 });
    expect(toPagePoint({ x: -5, y: 9_999 }, placement, page, true)).toEqual({ x: 0, y: 632 });
  });
});
