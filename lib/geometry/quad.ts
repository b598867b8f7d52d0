import type { Point } from '@/lib/actions/shared';

/** Four corners, clockwise from where the upper left one was before any transform. */
export type Quad = readonly [Point, Point, Point, Point];

export interface QuadMap {
  /** From the unit square to the plane of the quad. */
  outward(point: Point): Point;
  /** The inverse; undefined for a point that maps to infinity. */
  inward(point: Point): Point | undefined;
}

/** The eight numbers that CDP gives for a quad; undefined when they span no area. */
export function quadOf(numbers: readonly number[]): Quad | undefined {
  const [ax, ay, bx, by, cx, cy, dx, dy] = numbers;
  if (
    ax === undefined ||
    ay === undefined ||
    bx === undefined ||
    by === undefined ||
    cx === undefined ||
    cy === undefined ||
    dx === undefined ||
    dy === undefined
  )
    return undefined;
  const quad: Quad = [
    { x: ax, y: ay },
    { x: bx, y: by },
    { x: cx, y: cy },
    { x: dx, y: dy },
  ];
  return areaOf(quad) > 0 ? quad : undefined;
}

/** CSS px squared. Source: the shoelace formula. */
export function areaOf([a, b, c, d]: Quad): number {
  return Math.abs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)) / 2;
}

export function middleOf(quad: Quad): Point {
  return { x: quad.reduce((sum, { x }) => sum + x, 0) / 4, y: quad.reduce((sum, { y }) => sum + y, 0) / 4 };
}

/**
 * Maps the unit square onto a quad, however it is rotated, scaled or tilted. Source: the projective map of a square
 * (Heckbert 1989).
 */
export function mapOf([a, b, c, d]: Quad): QuadMap {
  const skew = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const [one, two] = [
    { x: b.x - c.x, y: b.y - c.y },
    { x: d.x - c.x, y: d.y - c.y },
  ];
  const under = one.x * two.y - two.x * one.y;
  const g = (skew.x * two.y - two.x * skew.y) / under;
  const h = (one.x * skew.y - skew.x * one.y) / under;
  return projective([
    b.x - a.x + g * b.x,
    d.x - a.x + h * d.x,
    a.x,
    b.y - a.y + g * b.y,
    d.y - a.y + h * d.y,
    a.y,
    g,
    h,
    1,
  ]);
}

type Matrix = readonly [number, number, number, number, number, number, number, number, number];

function projective(matrix: Matrix): QuadMap {
  const back = adjugate(matrix);
  return {
    outward: (point) => apply(matrix, point) ?? { x: Number.NaN, y: Number.NaN },
    inward: (point) => apply(back, point),
  };
}

function apply([a, b, c, d, e, f, g, h, i]: Matrix, { x, y }: Point): Point | undefined {
  const w = g * x + h * y + i;
  return w === 0 ? undefined : { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

/** The inverse up to a factor, which does not matter in a projective map. */
function adjugate([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}
