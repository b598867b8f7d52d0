/** Finds elements by selector through open shadow roots; runs inside the page. */
export class PageSearch {
  #found: Element[] = [];

  /** Counts what fits, in document order, and keeps it for `take`. A selector that is none gives its error. */
  find(selector: string): { readonly count: number } | { readonly error: string } {
    try {
      this.#found = this.#all(document, selector);
      return { count: this.#found.length };
    } catch (error) {
      return { error: error instanceof Error ? error.message : 'it is not a selector' };
    }
  }

  take(index: number): Element | null {
    return this.#found[index] ?? null;
  }

  #all(root: Document | ShadowRoot, selector: string): Element[] {
    const here = new Set(root.querySelectorAll(selector));
    const found: Element[] = [];
    for (const element of root.querySelectorAll('*')) {
      if (here.has(element)) found.push(element);
      if (element.shadowRoot) found.push(...this.#all(element.shadowRoot, selector));
    }
    return found;
  }
}
