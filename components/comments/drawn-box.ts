import type { XY } from '@/components/viewport/input/page-point';
import type { Size } from '@/lib/geometry/picture';
import type { Box } from '@/lib/protocol/catalog';

/** A press that moves less than this draws no box: it means the point. CSS pixels. */
const LEAST_DRAG = 4;
/** The box around a point, and the step of an arrow key. CSS pixels. */
const AROUND = 24;

/** The box between two corners, within the page; around the first one when they are one point. */
export function boxBetween(from: XY, to: XY, page: Size): Box {
  const isPoint = Math.abs(from.x - to.x) < LEAST_DRAG && Math.abs(from.y - to.y) < LEAST_DRAG;
  const half = isPoint ? AROUND / 2 : 0;
  const [left, top] = [Math.min(from.x, to.x) - half, Math.min(from.y, to.y) - half];
  const [right, bottom] = [Math.max(from.x, to.x) + half, Math.max(from.y, to.y) + half];
  return within({ x: left, y: top, width: right - left, height: bottom - top }, page);
}

/**
 * The box after an arrow key: it moves, or with Shift becomes larger or smaller. The first key puts one into the middle
 * of the page. Undefined for other keys.
 */
export function boxByKey(box: Box | undefined, key: string, shift: boolean, page: Size): Box | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  if (!box) return within(middleOf(page), page);
  const { x, y, width, height } = box;
  const [across, down] = [step.x * AROUND, step.y * AROUND];
  if (!shift)
    return {
      ...box,
      x: Math.max(0, Math.min(x + across, page.width - width)),
      y: Math.max(0, Math.min(y + down, page.height - height)),
    };
  return within({ x, y, width: Math.max(AROUND, width + across), height: Math.max(AROUND, height + down) }, page);
}

/** Where a page is scrolled to, CSS pixels. */
interface Scroll {
  readonly scrollX: number;
  readonly scrollY: number;
}

/** The box of one picture in another one, of which the page may be scrolled elsewhere. */
export function scrolledTo(box: Box, from: Scroll, to: Scroll): Box {
  return { ...box, x: box.x + from.scrollX - to.scrollX, y: box.y + from.scrollY - to.scrollY };
}

const STEPS: Readonly<Record<string, XY>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function middleOf({ width, height }: Size): Box {
  return { x: width / 2 - 2 * AROUND, y: height / 2 - AROUND, width: 4 * AROUND, height: 2 * AROUND };
}

function within({ x, y, width, height }: Box, page: Size): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(page.width, x + width), Math.min(page.height, y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
