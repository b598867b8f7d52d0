import type { PageBoxes, Rect } from './boxes';

export interface PagePoint {
  readonly x: number;
  readonly y: number;
}

export type Aimed = { readonly point: PagePoint } | { readonly blocker: Element | undefined };

/** Where a press would hit an element, tested through open shadow roots, the element's own closed ones, and the frames around it. */
export class PageReach {
  readonly #boxes: PageBoxes;

  constructor(boxes: PageBoxes) {
    this.#boxes = boxes;
  }

  /**
   * The first point of the element that a press would reach, in the viewport of the outermost reachable frame: the middle of each box
   * first. Otherwise what lies in the way; undefined when no part is inside the viewport.
   */
  aim(element: Element): Aimed {
    let blocker: Element | undefined;
    for (const box of this.#boxes.of(element).slice(0, 4)) {
      const shown = this.#inViewport(element, box);
      for (const point of shown ? this.#points(shown) : []) {
        const found = this.at(element, point);
        if ('point' in found) return found;
        blocker ??= found.blocker;
      }
    }
    return { blocker };
  }

  /** Tests one point of the element's own viewport. */
  at(element: Element, point: PagePoint): Aimed {
    const hit = this.deepest(element.ownerDocument, point, this.#shadowRoots(element));
    if (!hit) return { blocker: undefined };
    if (!this.#answersFor(hit, element)) return { blocker: hit };
    return this.#throughFrames(element, point);
  }

  /** The innermost element at a point of a document's viewport, into open shadow roots and those given. */
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

  /** From a point of the top viewport into same-process frames: the element there and the frame's own coordinates. */
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

  /** The control at a point of the top viewport, else the plain element there; null outside the viewport. */
  controlAt(point: PagePoint): Element | null {
    const hit = this.elementAt(point);
    return hit?.closest('a[href], button, input, select, textarea, summary, [role], [tabindex]') ?? hit ?? null;
  }

  #throughFrames(element: Element, point: PagePoint): Aimed {
    let at = point;
    let frame = element.ownerDocument.defaultView?.frameElement ?? null;
    while (frame) {
      at = this.#outward(frame, at);
      const hit = this.deepest(frame.ownerDocument, at, this.#shadowRoots(frame));
      if (hit !== frame) return { blocker: hit };
      frame = frame.ownerDocument.defaultView?.frameElement ?? null;
    }
    return { point: at };
  }

  /** A press on `hit` counts for `target`: it is inside it, or both belong to one control, or it is the target's label. */
  #answersFor(hit: Element, target: Element): boolean {
    if (this.#contains(target, hit)) return target.localName !== 'label' || !this.#otherControl(hit, target);
    const label = hit.closest('label');
    if (label?.control === target) return true;
    const control = target.closest('a[href], button, label, summary, [role="button"], [role="link"], [role="option"], [role="menuitem"], [role="tab"]');
    return control !== null && this.#contains(control, hit);
  }

  /** A link or button inside a label: a press there does its own thing instead of the label's. */
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
    for (let root = element.getRootNode(); this.#boxes.isShadowRoot(root); root = root.host.getRootNode()) roots.set(root.host, root);
    return roots;
  }

  #inViewport(element: Element, box: Rect): Rect | undefined {
    const view = element.ownerDocument.defaultView;
    return view ? this.#boxes.overlap(box, { x: 0, y: 0, width: view.innerWidth, height: view.innerHeight }) : undefined;
  }

  #points({ x, y, width, height }: Rect): PagePoint[] {
    const places = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]] as const;
    return places.map(([right, down]) => ({ x: x + width * right, y: y + height * down }));
  }

  /** The document inside a frame element; by tag, since an element of another frame is an instance of that frame's own classes. */
  #contentOf(element: Element): Document | undefined {
    return this.#isFrame(element) ? (element.contentDocument ?? undefined) : undefined;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }

  /** From a frame's viewport to that of the document holding it; scale by transforms included, rotation not. */
  #outward(frame: Element, { x, y }: PagePoint): PagePoint {
    const { left, top, insetX, insetY, scaleX, scaleY } = this.#frameGeometry(frame);
    return { x: left + (insetX + x) * scaleX, y: top + (insetY + y) * scaleY };
  }

  #inward(frame: Element, { x, y }: PagePoint): PagePoint {
    const { left, top, insetX, insetY, scaleX, scaleY } = this.#frameGeometry(frame);
    return { x: (x - left) / scaleX - insetX, y: (y - top) / scaleY - insetY };
  }

  #frameGeometry(frame: Element) {
    const { left, top, width, height } = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const laidOut = 'offsetWidth' in frame && 'offsetHeight' in frame ? { width: Number(frame.offsetWidth), height: Number(frame.offsetHeight) } : { width, height };
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
