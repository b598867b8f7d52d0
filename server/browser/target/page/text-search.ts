import type { PageBoxes } from './boxes';
import type { PageHidden } from './hidden';

/**
 * Finds visible text in its document and the document's open shadow roots, ignoring case and differences in white
 * space: `innerText` gives the text after CSS, with a line break where the source has a space. Leaves out hidden text
 * (CO8). Does not look into frames, since only the world of a document knows what is hidden in it. Runs inside the
 * page.
 */
export class PageTextSearch {
  readonly #boxes: PageBoxes;
  readonly #hidden: PageHidden;
  /** Stands in place of hidden text, so that the words around it do not read as one phrase. */
  readonly #gap = '\uFFFC';

  constructor(boxes: PageBoxes, hidden: PageHidden) {
    this.#boxes = boxes;
    this.#hidden = hidden;
  }

  /** Whether a text is visible anywhere in the page. */
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

  /** Visible text only: `innerText` of an element that is not rendered would be its whole text content. */
  #shown(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
    if (!this.#isHtml(node) || !this.#isRendered(node)) return '';
    if (this.#hidden.has(node)) return this.#gap;
    return this.#hidden.within(node) ? this.#around(node) : node.innerText;
  }

  /** The text of an element's children, without the hidden ones. */
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

  /** Checked by shape, since a node of another frame is an instance of that frame's own classes. */
  #isHtml(node: Node): node is HTMLElement {
    return 'innerText' in node;
  }
}
