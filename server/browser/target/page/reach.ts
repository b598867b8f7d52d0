import type { PageBoxes } from './boxes';
import type { Rect } from './rect';

export interface PagePoint {
  readonly x: number;
  readonly y: number;
}

export type HitResult = { readonly points: readonly PagePoint[] } | { readonly blocker: Element | undefined };

/**
 * Finds where a press would hit an element of its own document, through open shadow roots and the element's own closed
 * ones.
 */
export class PageReach {
  readonly #boxes: PageBoxes;

  constructor(boxes: PageBoxes) {
    this.#boxes = boxes;
  }

  /**
   * The first `most` points of the element that a press would reach, in its document's viewport: first the middle and
   * quarter points of each box, then the outline of an SVG shape, then a grid. If none is reachable, the element in the
   * way; undefined when no part is inside the viewport. `text`: only points on that text.
   */
  findHitPoints(element: Element, most: number, text?: Node): HitResult {
    const shown = this.#boxes
      .of(element, text)
      .slice(0, 6)
      .flatMap((box) => this.#boxes.overlap(box, this.#boxes.viewport()) ?? []);
    const roots = this.#shadowRoots(element);
    const points: PagePoint[] = [];
    let blocker: Element | undefined;
    for (const point of [
      ...shown.flatMap((box) => this.#points(box)),
      ...this.#outline(element),
      ...shown.flatMap((box) => this.#grid(box)),
    ]) {
      const hit = this.deepest(element.ownerDocument, point, roots);
      if (hit && this.#answersFor(hit, element)) points.push(point);
      else blocker ??= hit;
      if (points.length >= most) break;
    }
    return points.length > 0 ? { points } : { blocker };
  }

  /**
   * The element that a press at a point of the document's viewport would reach instead of `element`; null when it
   * reaches it.
   */
  blockerAt(element: Element, point: PagePoint): Element | null {
    const hit = this.deepest(element.ownerDocument, point, this.#shadowRoots(element));
    return hit && this.#answersFor(hit, element) ? null : (hit ?? element.ownerDocument.documentElement);
  }

  /**
   * Tells for each point of its document's viewport whether something covers the frame there. Points that the frame
   * does not show count as not covered, and so do those left when `maxMs` milliseconds are over.
   */
  coversOver(frame: Element, points: readonly PagePoint[], maxMs: number): boolean[] {
    const until = performance.now() + maxMs;
    const part = this.#boxes.shownPart(frame);
    const tested = part !== undefined && getComputedStyle(frame).pointerEvents !== 'none';
    const shows = ({ x, y }: PagePoint): boolean =>
      tested && x >= part.x && y >= part.y && x < part.x + part.width && y < part.y + part.height;
    return points.map((point) => shows(point) && performance.now() < until && this.blockerAt(frame, point) !== null);
  }

  /** The innermost element at a point of a document's viewport, through open shadow roots and the given closed ones. */
  deepest(doc: Document, point: PagePoint, known: ReadonlyMap<Element, ShadowRoot> = new Map()): Element | undefined {
    let hit = doc.elementFromPoint(point.x, point.y) ?? undefined;
    while (hit) {
      const root: ShadowRoot | undefined = hit.shadowRoot ?? known.get(hit);
      const inner = root?.elementFromPoint(point.x, point.y) ?? undefined;
      if (!inner || inner === hit || inner.getRootNode() !== root) return hit;
      hit = inner;
    }
    return hit;
  }

  /** The innermost element at a point of the top viewport, through same-process frames. */
  elementAt(point: PagePoint): Element | undefined {
    let doc: Document = document;
    let at = point;
    for (;;) {
      const hit = this.deepest(doc, at);
      const inner = hit && this.#contentOf(hit);
      if (!hit || !inner) return hit;
      at = this.#inward(hit, at);
      doc = inner;
    }
  }

  /** The frame of another process at a point of the top viewport; null when an element of this process is there. */
  foreignFrameAt(point: PagePoint): Element | null {
    const hit = this.elementAt(point);
    return hit && this.#isFrame(hit) && !hit.contentDocument ? hit : null;
  }

  /**
   * The frame of any process at a point of this document's viewport; null when an element of the document itself is
   * there.
   */
  frameAt(point: PagePoint): Element | null {
    const hit = this.deepest(document, point);
    return hit && this.#isFrame(hit) ? hit : null;
  }

  /** The control at a point of the top viewport, else the innermost element there; null outside the viewport. */
  controlAt(point: PagePoint): Element | null {
    const hit = this.elementAt(point);
    return hit?.closest('a[href], button, input, select, textarea, summary, [role], [tabindex]') ?? hit ?? null;
  }

  /**
   * Whether a press on `hit` counts for `target`: `hit` is inside it, or is in its label, or both belong to one
   * control.
   */
  #answersFor(hit: Element, target: Element): boolean {
    if (this.#contains(target, hit)) return target.localName !== 'label' || !this.#otherControl(hit, target);
    const label = hit.closest('label');
    if (label && label.control === target) return !this.#otherControl(hit, label);
    const control = target.closest(
      'a[href], button, label, summary, [role="button"], [role="link"], [role="option"], [role="menuitem"], [role="tab"]',
    );
    return control !== null && this.#contains(control, hit);
  }

  /** Whether the press is on a link or button inside a label: the press activates that one instead of the label. */
  #otherControl(hit: Element, label: Element): boolean {
    const control = hit.closest('a[href], button, [role="button"], [role="link"]');
    return control !== null && control !== label && label.contains(control);
  }

  #contains(outer: Element, inner: Element): boolean {
    for (let at: Element | null = inner; at; at = this.#boxes.parentOf(at)) if (at === outer) return true;
    return false;
  }

  #shadowRoots(element: Element): Map<Element, ShadowRoot> {
    const roots = new Map<Element, ShadowRoot>();
    for (let root = element.getRootNode(); this.#boxes.isShadowRoot(root); root = root.host.getRootNode())
      roots.set(root.host, root);
    return roots;
  }

  /** The middle and the quarter points: a rotated bar lies on a diagonal of its bounding box. */
  #points({ x, y, width, height }: Rect): PagePoint[] {
    const places = [
      [0.5, 0.5],
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ] as const;
    return places.map(([right, down]) => ({ x: x + width * right, y: y + height * down }));
  }

  /** A grid of 49 points, for shapes that have nothing at `#points`. */
  #grid({ x, y, width, height }: Rect): PagePoint[] {
    const parts = [1, 3, 5, 7, 9, 11, 13].map((part) => part / 14);
    return parts.flatMap((down) => parts.map((right) => ({ x: x + width * right, y: y + height * down })));
  }

  /** Points on the outline of an SVG shape, which may have no fill. */
  #outline(element: Element): PagePoint[] {
    if (!(element instanceof SVGGeometryElement)) return [];
    const matrix = element.getScreenCTM();
    const length = element.getTotalLength();
    if (!matrix || !(length > 0)) return [];
    return [0.5, 0.25, 0.75].map((part) => {
      const { x, y } = element.getPointAtLength(length * part).matrixTransform(matrix);
      return { x, y };
    });
  }

  /**
   * The document inside a frame element. Checked by tag, since an element of another frame is an instance of that
   * frame's own classes.
   */
  #contentOf(element: Element): Document | undefined {
    return this.#isFrame(element) ? (element.contentDocument ?? undefined) : undefined;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }

  /**
   * Maps a point from the viewport of the document that holds a frame to the frame's own; includes scaling by
   * transforms, not rotation.
   */
  #inward(frame: Element, { x, y }: PagePoint): PagePoint {
    const { left, top, insetX, insetY, scaleX, scaleY } = this.#frameGeometry(frame);
    return { x: (x - left) / scaleX - insetX, y: (y - top) / scaleY - insetY };
  }

  #frameGeometry(frame: Element) {
    const { left, top, width, height } = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const laidOut =
      'offsetWidth' in frame && 'offsetHeight' in frame
        ? { width: Number(frame.offsetWidth), height: Number(frame.offsetHeight) }
        : { width, height };
    return {
      left,
      top,
      insetX: frame.clientLeft + Number.parseFloat(style.paddingLeft),
      insetY: frame.clientTop + Number.parseFloat(style.paddingTop),
      scaleX: laidOut.width > 0 ? width / laidOut.width : 1,
      scaleY: laidOut.height > 0 ? height / laidOut.height : 1,
    };
  }
}
