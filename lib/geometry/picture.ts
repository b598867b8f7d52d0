import type { FrameMeta } from '@/lib/protocol/views';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The page of a session: its size in CSS pixels, device pixels for each of them (default 1), and whether it is laid out
 * as on a phone (default false).
 */
export interface Viewport extends Size {
  readonly deviceScaleFactor?: number | undefined;
  readonly mobile?: boolean | undefined;
}

/** Where the picture lies inside the box that shows it: letterboxed, never stretched. */
export interface Placement {
  readonly left: number;
  readonly top: number;
  /** Box pixels per page CSS pixel. */
  readonly scale: number;
}

/** Fits a page of `page` CSS pixels into a box of `box` pixels, centred, at most `maxScale` times its size. */
export function fitPicture(page: Size, box: Size, maxScale = Number.POSITIVE_INFINITY): Placement {
  if (page.width <= 0 || page.height <= 0) return { left: 0, top: 0, scale: 1 };
  const scale = Math.min(box.width / page.width, box.height / page.height, maxScale);
  return { left: (box.width - page.width * scale) / 2, top: (box.height - page.height * scale) / 2, scale };
}

/** Margin around a picture that fills its box, pixels on each side. */
const MARGIN = 6;

/**
 * The scale, box pixels per CSS pixel, at which a page fills the height or the width of its box, whichever is larger;
 * at most 1.
 */
export function fillScale(page: Size, box: Size): number {
  if (page.width <= 0 || page.height <= 0) return 1;
  return Math.min(1, Math.max((box.height - 2 * MARGIN) / page.height, (box.width - 2 * MARGIN) / page.width));
}

/**
 * A point of the box, in its pixels, as CSS pixels of the page's viewport; undefined when it is outside the picture or
 * the picture has no size. Uses the size that came with the frame, never the configured one (docs/chrome-facts.md,
 * Pictures).
 */
export function boxToPage(
  point: { x: number; y: number },
  placement: Placement,
  meta: Pick<FrameMeta, 'width' | 'height'>,
): { x: number; y: number } | undefined {
  if (placement.scale <= 0) return undefined;
  const x = (point.x - placement.left) / placement.scale;
  const y = (point.y - placement.top) / placement.scale;
  if (x < 0 || y < 0 || x >= meta.width || y >= meta.height) return undefined;
  return { x, y };
}

/** The inverse of `boxToPage`, for overlays. */
export function pageToBox(point: { x: number; y: number }, placement: Placement): { x: number; y: number } {
  return { x: placement.left + point.x * placement.scale, y: placement.top + point.y * placement.scale };
}
