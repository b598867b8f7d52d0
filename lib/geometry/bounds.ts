import type { Point } from '@/lib/actions/shared';
import type { Box } from '@/lib/protocol/catalog';

/** The corners of a quad as CDP gives it: eight numbers, corner by corner. */
export function pointsOf(quad: readonly number[]): Point[] {
  return quad.flatMap((x, index) => {
    const y = quad[index + 1];
    return index % 2 === 0 && y !== undefined ? [{ x, y }] : [];
  });
}

export function cornersOf({ x, y, width, height }: Box): Point[] {
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}

/** The smallest box around points, to a tenth of a pixel; undefined when it is empty. */
export function boxAround(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x: round(x), y: round(y), width: round(Math.max(...xs) - x), height: round(Math.max(...ys) - y) };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
