/**
 * SVG building blocks for the drawn plants. Units are those of a 400 x 400 picture; a leaf grows upwards from (0, 0).
 */

export const fixed = (value: number): string => String(Math.round(value * 10) / 10);

export interface LeafLook {
  readonly fill: string;
  /** Drawn over the right half, so that a flat leaf looks folded. */
  readonly shade?: string;
  /** The midrib; none when absent. */
  readonly rib?: string;
}

/** Outline of a leaf: `belly` (0..1) is the height at which it is widest. */
function leafOutline(length: number, width: number, belly: number, side: 'both' | 'right' = 'both'): string {
  const low = fixed(-length * belly * 0.45);
  const high = fixed(-length * (0.45 + belly * 0.5));
  const tip = `0 ${fixed(-length)}`;
  const right = `M0 0C${fixed(width)} ${low} ${fixed(width * 0.8)} ${high} ${tip}`;
  if (side === 'right') return `${right}Z`;
  return `${right}C${fixed(-width * 0.8)} ${high} ${fixed(-width)} ${low} 0 0Z`;
}

/** One leaf at (x, y), leaning by `angle` degrees (0 is upright, positive to the right). */
export function leaf(
  x: number,
  y: number,
  angle: number,
  length: number,
  width: number,
  look: LeafLook,
  belly = 0.5,
): string {
  const shade =
    look.shade === undefined ? '' : `<path d="${leafOutline(length, width, belly, 'right')}" fill="${look.shade}"/>`;
  const rib =
    look.rib === undefined
      ? ''
      : `<path d="M0 ${fixed(-length * 0.06)}V${fixed(-length * 0.9)}" stroke="${look.rib}" stroke-width="2" stroke-linecap="round"/>`;
  return placed(x, y, angle, `<path d="${leafOutline(length, width, belly)}" fill="${look.fill}"/>${shade}${rib}`);
}

export function placed(x: number, y: number, angle: number, content: string): string {
  return `<g transform="translate(${fixed(x)} ${fixed(y)}) rotate(${fixed(angle)})">${content}</g>`;
}

interface Point {
  readonly x: number;
  readonly y: number;
  /** Direction of growth in degrees, 0 upright, positive to the right. */
  readonly angle: number;
}

/** Points along a stem that starts at (x, y) and bends: a quadratic curve over (cx, cy) to (ex, ey). */
export function bend(
  from: readonly [number, number],
  over: readonly [number, number],
  to: readonly [number, number],
  t: number,
): Point {
  const u = 1 - t;
  const x = u * u * from[0] + 2 * u * t * over[0] + t * t * to[0];
  const y = u * u * from[1] + 2 * u * t * over[1] + t * t * to[1];
  const dx = 2 * u * (over[0] - from[0]) + 2 * t * (to[0] - over[0]);
  const dy = 2 * u * (over[1] - from[1]) + 2 * t * (to[1] - over[1]);
  return { x, y, angle: (Math.atan2(dx, -dy) * 180) / Math.PI };
}

export function stem(
  from: readonly [number, number],
  over: readonly [number, number],
  to: readonly [number, number],
  colour: string,
  width: number,
): string {
  return `<path d="M${fixed(from[0])} ${fixed(from[1])}Q${fixed(over[0])} ${fixed(over[1])} ${fixed(to[0])} ${fixed(to[1])}" fill="none" stroke="${colour}" stroke-width="${fixed(width)}" stroke-linecap="round"/>`;
}
