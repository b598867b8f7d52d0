import type { Rect } from './rect';
import type { PageLabelProxies } from './label-proxies';

/**
 * Computes where elements are. Like every class in this folder it runs inside the page, in an isolated world: its
 * source text is sent there, so it may use only its own members and its constructor's arguments.
 */
export class PageBoxes {
  readonly #labelProxies: PageLabelProxies;

  constructor(labelProxies: PageLabelProxies) {
    this.#labelProxies = labelProxies;
  }

  /**
   * The boxes of an element that have an area: one per line for a broken inline element; those of its content when it
   * has no box of its own; last those of the label that a person presses in its place. `text`: a text node in it, whose
   * line boxes are returned instead.
   */
  of(element: Element, text?: Node): Rect[] {
    if (text?.nodeType === Node.TEXT_NODE) return this.#linesOf(text);
    const area = this.#labelProxies.areaBox(element);
    if (area) return [area];
    const own = this.isVisible(element) ? this.#own(element) : [];
    const label = this.#labelProxies.labelOf(element);
    return label && this.isVisible(label) ? [...own, ...this.#own(label)] : own;
  }

  /**
   * The element that contains a text node or owns a pseudo-element (Chromium 156 gives a `CSSPseudoElement`); an
   * element is its own holder.
   */
  holderOf(node: Node | { readonly element: Element }): Element | undefined {
    if ('element' in node) return node.element;
    if (this.#isElement(node)) return node;
    const root = node.parentNode;
    return node.parentElement ?? (root && this.isShadowRoot(root) ? root.host : undefined);
  }

  /** The element whose box can be scrolled to: the element itself, or the one that people see in its place. */
  boxed(element: Element): Element {
    const image = this.#labelProxies.imageOf(element);
    if (image || element.getClientRects().length > 0) return image ?? element;
    const inner = Array.from(element.querySelectorAll('*')).find((each) => each.getClientRects().length > 0);
    return this.#labelProxies.labelOf(element) ?? inner ?? element.parentElement ?? element;
  }

  /** Rendered and not `visibility: hidden`. Says nothing of size. */
  isVisible(element: Element): boolean {
    const shown = this.#labelProxies.imageOf(element) ?? element;
    const style = getComputedStyle(shown);
    if (style.display === 'contents') return style.visibility === 'visible';
    return shown.checkVisibility({ visibilityProperty: true });
  }

  /** Why an element cannot be seen; undefined when it can be seen, or when its label can be pressed in its place. */
  hiddenBecause(element: Element): string | undefined {
    if (this.of(element).length > 0) return undefined;
    const style = getComputedStyle(element);
    if (style.display === 'none' && !this.#labelProxies.imageOf(element)) return 'it has display: none';
    if (style.visibility !== 'visible') return `it has visibility: ${style.visibility}`;
    return this.isVisible(element) ? 'it has no size' : 'a part of the page around it is not shown';
  }

  /** The nearest ancestor that cuts all of these boxes away and cannot be scrolled by a person to show them. */
  cutAwayBy(element: Element, boxes: readonly Rect[]): Element | undefined {
    for (let outer = this.parentOf(element); outer; outer = this.parentOf(outer)) {
      const style = getComputedStyle(outer);
      if (![style.overflowX, style.overflowY].some((overflow) => overflow === 'hidden' || overflow === 'clip'))
        continue;
      const frame = outer.getBoundingClientRect();
      if (!boxes.some((box) => this.overlap(box, frame))) return outer;
    }
    return undefined;
  }

  overlap(box: Rect, frame: Rect): Rect | undefined {
    const x = Math.max(box.x, frame.x);
    const y = Math.max(box.y, frame.y);
    const width = Math.min(box.x + box.width, frame.x + frame.width) - x;
    const height = Math.min(box.y + box.height, frame.y + frame.height) - y;
    return width > 0 && height > 0 ? { x, y, width, height } : undefined;
  }

  /**
   * The part of an element's first box that the window and the boxes around it show; undefined when it is smaller than
   * 4 x 4 px.
   */
  shownPart(element: Element): Rect | undefined {
    const { x, y, width, height } = element.getBoundingClientRect();
    // On a long page most elements lie outside the window: return before any object is allocated.
    if (x >= innerWidth || y >= innerHeight || x + width <= 0 || y + height <= 0) return undefined;
    let part = this.overlap({ x, y, width, height }, this.viewport());
    for (let outer = part && this.parentOf(element); part && outer; outer = this.parentOf(outer)) {
      if (getComputedStyle(outer).overflow !== 'visible') part = this.overlap(part, outer.getBoundingClientRect());
    }
    return part && part.width >= 4 && part.height >= 4 ? part : undefined;
  }

  /** Parent in the flat tree: slots and shadow hosts included. */
  parentOf(element: Element): Element | null {
    if (element.assignedSlot) return element.assignedSlot;
    if (element.parentElement) return element.parentElement;
    const root = element.getRootNode();
    return this.isShadowRoot(root) ? root.host : null;
  }

  /** Checked by shape, since a node of another frame is an instance of that frame's own classes. */
  isShadowRoot(node: Node): node is ShadowRoot {
    return node.nodeType === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node;
  }

  #isElement(node: Node): node is Element {
    return node.nodeType === Node.ELEMENT_NODE;
  }

  /** The element's bounding box, transforms included. */
  around(element: Element): Rect {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  }

  /** The visible part of the document. */
  viewport(): Rect {
    return { x: 0, y: 0, width: innerWidth, height: innerHeight };
  }

  #own(element: Element): Rect[] {
    const own = this.#solid(element.getClientRects());
    if (own.length > 0 || !this.#showsOverflow(element)) return own;
    for (const inner of element.querySelectorAll('*')) {
      const rects = this.isVisible(inner) ? this.#solid(inner.getClientRects()) : [];
      if (rects.length > 0) return rects;
    }
    return this.#linesOf(element);
  }

  #linesOf(node: Node): Rect[] {
    const range = (node.ownerDocument ?? document).createRange();
    range.selectNodeContents(node);
    return this.#solid(range.getClientRects());
  }

  #showsOverflow(element: Element): boolean {
    const { overflowX, overflowY } = getComputedStyle(element);
    return overflowX === 'visible' && overflowY === 'visible';
  }

  #solid(rects: DOMRectList): Rect[] {
    return Array.from(rects, ({ x, y, width, height }) => ({ x, y, width, height })).filter(
      ({ width, height }) => width > 0 && height > 0,
    );
  }
}
