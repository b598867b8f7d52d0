import { z } from 'zod';

/**
 * A press on a page that somebody else, or nobody, drives: the wheel is offered, and when it comes the press is made
 * after all, but only if it meets what it was aimed at (ui.md, FR4). Here is the comparison; the server reads both
 * sides.
 */

export interface Aim {
  /** The number of the picture's geometry (FR4). */
  readonly geometry: number;
  /** Loader id of the page's document. */
  readonly document: string;
  /** Loader id of the innermost document at the point: the page's own, or that of a frame. */
  readonly inner: string;
  /** DOM backend node id of the innermost element at the point. */
  readonly node: number;
  /** The element's box as seen from the point, CSS pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** Size and zoom of the innermost document's window. */
  readonly view: string;
  /**
   * What the control there is called, leads to, and whether it is on: a framework may use one element again for another
   * thing.
   */
  readonly words: string;
}

/**
 * Why a press is not made: it was aimed too long ago, or another page, size, element, place or sense is there now, or
 * the page does not say.
 */
export const DROPPED = ['late', 'silent', 'page', 'size', 'element', 'moved', 'changed'] as const;
export type Dropped = (typeof DROPPED)[number];

export const firstClickOutcomeSchema = z.object({ clicked: z.boolean(), why: z.enum(DROPPED).optional() });

/** Less than a whole pixel is drawing, not moving. */
const STILL_PX = 1;

/**
 * What keeps a press that was aimed at `then` from being made `now`; undefined when nothing does. `now` is undefined
 * where the page has nothing at the point.
 */
export function whyDropped(then: Aim, now: Aim | undefined): Dropped | undefined {
  if (!now) return 'element';
  if (now.document !== then.document) return 'page';
  if (now.geometry !== then.geometry || now.view !== then.view) return 'size';
  if (now.inner !== then.inner || now.node !== then.node) return 'element';
  if (!sameBox(then.box, now.box)) return 'moved';
  return now.words === then.words ? undefined : 'changed';
}

function sameBox(then: Aim['box'], now: Aim['box']): boolean {
  const pairs = [
    [then.left, now.left],
    [then.top, now.top],
    [then.width, now.width],
    [then.height, now.height],
  ] as const;
  return pairs.every(([before, after]) => Math.abs(before - after) < STILL_PX);
}
