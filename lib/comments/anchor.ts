import type { Box } from '@/lib/protocol/catalog';
import type { Anchor, AnchorState } from './comment';

/** The place of the viewport on the page, whose upper left corner does not move when somebody scrolls. CSS pixels. */
interface ViewportPlace {
  readonly pageX: number;
  readonly pageY: number;
}

/** The page of a tab at this moment. */
export interface PresentPage {
  readonly document: string;
  /** That of a frame; undefined: there is no such frame. */
  documentOf(frame: string): string | undefined;
  /** Whether the ref still names an element. */
  knows(ref: string): boolean;
}

/** An element that is this much away from its place has moved. CSS pixels. */
const MOVED_PX = 2;

/** From the viewport to the page. */
export function onPage(box: Box, { pageX, pageY }: ViewportPlace): Box {
  return { ...box, x: box.x + pageX, y: box.y + pageY };
}

/** The part of a box within an area that begins at 0, 0; undefined when it lies outside. */
export function clipped(box: Box, area: { readonly width: number; readonly height: number }): Box | undefined {
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(area.width, box.x + box.width), Math.min(area.height, box.y + box.height)];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

/** @param page undefined: the tab is closed */
export function anchorIsGone({ document, frame }: Anchor, page: PresentPage | undefined): boolean {
  if (page?.document !== document) return true;
  return frame !== undefined && page.documentOf(frame.id) !== frame.document;
}

/** The ref of an anchor while it names an element; later it would hit nothing, or something else (SN4). */
export function refOf(anchor: Anchor | undefined, page: PresentPage | undefined): string | undefined {
  if (anchor?.ref === undefined || anchorIsGone(anchor, page)) return undefined;
  return page?.knows(anchor.ref) ? anchor.ref : undefined;
}

/** Where its element is now, on the page: null when it has no box, undefined when it was not looked for. */
export type ElementPlace = Box | null | undefined;

/** One whose element has no box has no place, either, until it has one again. */
export function anchorState(anchor: Anchor, page: PresentPage | undefined, place: ElementPlace): AnchorState {
  if (anchorIsGone(anchor, page) || place === null) return 'gone';
  const before = anchor.elementBox ?? anchor.box;
  return place && before && hasMoved(before, place) ? 'moved' : 'here';
}

/** The present box of an anchor: that of its element, or the drawn one, which moves with the element. */
export function presentBox({ box, elementBox }: Anchor, place: ElementPlace): Box | undefined {
  if (!place || !box) return place ?? box;
  return elementBox ? { ...box, x: box.x + place.x - elementBox.x, y: box.y + place.y - elementBox.y } : place;
}

export function hasMoved(from: Box, to: Box): boolean {
  return Math.abs(from.x - to.x) > MOVED_PX || Math.abs(from.y - to.y) > MOVED_PX;
}
