import type { PageBoxes } from './boxes';

/**
 * Finds text that can be seen, that of open shadow roots and of frames of the same site too, whatever the case of its letters and the white
 * space between its words: `innerText` shows what CSS made of a text, and a line break where the source has a space. Runs inside the page.
 */
export class PageWords {
  readonly #boxes: PageBoxes;

  constructor(boxes: PageBoxes) {
    this.#boxes = boxes;
  }

  /** Whether a text can be seen anywhere in the page. */
  says(text: string): boolean {
    const wanted = this.#plain(text);
    for (const said of this.#page(document)) if (this.#plain(said).includes(wanted)) return true;
    return false;
  }

  *#page(page: Document): Generator<string> {
    if (page.body) yield this.#shown(page.body);
    yield* this.#below(page);
  }

  *#below(root: ParentNode): Generator<string> {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot && this.#isRendered(element)) yield* this.#inside(element.shadowRoot);
      const held = this.#contentOf(element);
      if (held && this.#isRendered(element)) yield* this.#page(held);
    }
  }

  *#inside(root: ShadowRoot): Generator<string> {
    for (const child of root.childNodes) yield this.#shown(child);
    yield* this.#below(root);
  }

  /** `innerText` of what is not rendered would be all that it holds. */
  #shown(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
    return this.#isHtml(node) && this.#isRendered(node) ? node.innerText : '';
  }

  #isRendered(element: Element): boolean {
    if (element.checkVisibility()) return true;
    const outer = this.#boxes.parentOf(element);
    return outer !== null && getComputedStyle(element).display === 'contents' && this.#isRendered(outer);
  }

  #contentOf(element: Element): Document | null {
    return this.#isFrame(element) ? element.contentDocument : null;
  }

  #plain(text: string): string {
    return text.toUpperCase().replace(/\s+/g, ' ').trim();
  }

  /** By shape, since a node of another frame is an instance of that frame's own classes. */
  #isHtml(node: Node): node is HTMLElement {
    return 'innerText' in node;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }
}
