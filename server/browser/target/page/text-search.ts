import type { PageBoxes } from './boxes';
import type { PageHidden } from './hidden';

/**
 * Finds text that can be seen in its document, that of open shadow roots too, whatever the case of its letters and the
 * white space between its words: `innerText` shows what CSS made of a text, and a line break where the source has a
 * space. What is hidden (CO8) is not there, and only the world of a document knows what of it is, so frames are not
 * looked into. Runs inside the page.
 */
export class PageTextSearch {
  readonly #boxes: PageBoxes;
  readonly #hidden: PageHidden;
  /** In the place of what is hidden: the words beside it are no phrase. */
  readonly #gap = '\uFFFC';

  constructor(boxes: PageBoxes, hidden: PageHidden) {
    this.#boxes = boxes;
    this.#hidden = hidden;
  }

  /** Whether a text can be seen anywhere in the page. */
  says(text: string): boolean {
    const wanted = this.#plain(text);
    for (const said of this.#page()) if (this.#plain(said).includes(wanted)) return true;
    return false;
  }

  *#page(): Generator<string> {
    if (document.body) yield this.#shown(document.body);
    yield* this.#below(document);
  }

  *#below(root: ParentNode): Generator<string> {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot && this.#isRendered(element) && !this.#hidden.covers(element))
        yield* this.#inside(element.shadowRoot);
    }
  }

  *#inside(root: ShadowRoot): Generator<string> {
    for (const child of root.childNodes) yield this.#shown(child);
    yield* this.#below(root);
  }

  /** `innerText` of what is not rendered would be all that it holds. */
  #shown(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
    if (!this.#isHtml(node) || !this.#isRendered(node)) return '';
    if (this.#hidden.has(node)) return this.#gap;
    return this.#hidden.within(node) ? this.#around(node) : node.innerText;
  }

  /** What stands beside what is hidden. */
  #around(element: HTMLElement): string {
    const edge = /^(inline|contents)/.test(getComputedStyle(element).display) ? '' : '\n';
    return edge + Array.from(element.childNodes, (child) => this.#shown(child)).join('') + edge;
  }

  #isRendered(element: Element): boolean {
    if (element.checkVisibility()) return true;
    const outer = this.#boxes.parentOf(element);
    return outer !== null && getComputedStyle(element).display === 'contents' && this.#isRendered(outer);
  }

  #plain(text: string): string {
    return text.toUpperCase().replace(/\s+/g, ' ').trim();
  }

  /** By shape, since a node of another frame is an instance of that frame's own classes. */
  #isHtml(node: Node): node is HTMLElement {
    return 'innerText' in node;
  }
}
