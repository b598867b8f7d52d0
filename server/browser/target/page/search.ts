import type { PageFrames } from './frames';

/** Finds elements by selector through open shadow roots; runs inside the page. */
export class PageSearch {
  readonly #frames: PageFrames;
  #found: Element[] = [];

  constructor(frames: PageFrames) {
    this.#frames = frames;
  }

  /**
   * Counts the matching elements in document order and keeps them for `take`; waits until one matches, or the time is
   * over. Milliseconds. Returns the browser's error for an invalid selector.
   */
  async find(selector: string, waitMs: number): Promise<{ readonly count: number } | { readonly error: string }> {
    const end = performance.now() + waitMs;
    try {
      for (;;) {
        this.#found = this.#all(document, selector);
        if (this.#found.length > 0 || performance.now() >= end) return { count: this.#found.length };
        await this.#frames.next();
      }
    } catch (error) {
      return { error: error instanceof Error ? error.message : 'it is not a selector' };
    }
  }

  /** Throws the browser's error for an invalid selector. */
  first(selector: string): Element | undefined {
    return this.#all(document, selector)[0];
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
