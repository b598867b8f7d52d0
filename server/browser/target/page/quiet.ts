import type { PageFrames } from './frames';

export interface QuietOptions {
  /** Frames without any change after which a page counts as calm when the action changed nothing. */
  readonly frames: number;
  /** Milliseconds without a change after which a page counts as calm, once something changed. */
  readonly quietMs: number;
  /** Whether the caller knows that something happened: `quietMs` then counts from now in any case. */
  readonly active: boolean;
  readonly maxMs: number;
}

/** Waits until a document has calmed down (AC5). Runs inside the page. */
export class PageQuiet {
  readonly #frames: PageFrames;
  #observer: MutationObserver | undefined;
  #changedAt = 0;
  #forget = 0;

  constructor(frames: PageFrames) {
    this.#frames = frames;
  }

  /**
   * Begins to watch before an action, so that its immediate changes are seen. Stops watching after `forMs`
   * milliseconds.
   */
  arm(forMs: number): void {
    this.#watch();
    this.#forget = window.setTimeout(() => this.#stop(), forMs);
  }

  /**
   * Waits for calm, from the moment of `arm` or now. True when the page is calm, false when the time was over first.
   */
  async calm(options: QuietOptions): Promise<boolean> {
    const end = performance.now() + options.maxMs;
    if (!this.#observer) this.#watch();
    clearTimeout(this.#forget);
    if (options.active) this.#changedAt = performance.now();
    try {
      for (let frame = 0; frame < options.frames || this.#busy(options.quietMs); frame += 1) {
        if (performance.now() >= end) return false;
        await this.#frames.next();
      }
      return true;
    } finally {
      this.#stop();
    }
  }

  #watch(): void {
    this.#stop();
    this.#changedAt = 0;
    this.#observer = new MutationObserver((records) => {
      if (records.some((record) => this.#counts(record))) this.#changedAt = performance.now();
    });
    for (const root of this.#roots(document, 3_000))
      this.#observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  #stop(): void {
    clearTimeout(this.#forget);
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  #busy(quietMs: number): boolean {
    return this.#changedAt > 0 && performance.now() - this.#changedAt < quietMs;
  }

  /**
   * Ignores changes of style attributes and of SVG: animations make them, possibly without end, and they are no
   * content.
   */
  #counts(record: MutationRecord): boolean {
    if (record.type !== 'attributes') return true;
    return record.attributeName !== 'style' && !(record.target instanceof SVGElement);
  }

  /** The document, its open shadow roots and same-process frames, found among the first `most` elements of each. */
  #roots(root: Document | ShadowRoot, most: number): Node[] {
    const roots: Node[] = [root];
    let seen = 0;
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot ?? (this.#isFrame(element) ? element.contentDocument : null);
      if (inner) roots.push(...this.#roots(inner, most));
      seen += 1;
      if (seen >= most) break;
    }
    return roots;
  }

  #isFrame(element: Element): element is HTMLIFrameElement {
    return element.localName === 'iframe' || element.localName === 'frame';
  }
}
