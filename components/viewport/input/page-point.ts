import { boxToPage, type Placement, type Size } from '@/lib/geometry/picture';

export interface XY {
  readonly x: number;
  readonly y: number;
}

/**
 * A point of the box as CSS pixels of the page.
 * @param point pixels of the box that shows the picture
 * @param held a button is down: a drag that leaves the picture goes on at its edge, so that it ends properly
 * @returns undefined outside of the picture, unless `held`
 */
export function toPagePoint(point: XY, placement: Placement, page: Size, held: boolean): XY | undefined {
  const inside = boxToPage(point, placement, page);
  if (inside) return rounded(inside);
  if (!held) return undefined;
  return rounded({
    x: clamp((point.x - placement.left) / placement.scale, page.width - 1),
    y: clamp((point.y - placement.top) / placement.scale, page.height - 1),
  });
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0));
}

/** A hundredth of a pixel is enough for any page. */
function rounded({ x, y }: XY): XY {
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 };
}
