import { boxToPage, type Placement, type Size } from '@/lib/geometry/picture';

export interface XY {
  readonly x: number;
  readonly y: number;
}

/**
 * Converts a point of the box into CSS pixels of the page.
 * @param point pixels of the box that shows the picture
 * @param held a button is down: a drag that leaves the picture is clamped to its edge
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

/** Rounds to a hundredth of a pixel. */
function rounded({ x, y }: XY): XY {
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 };
}
