import type { PageFrames } from './frames';

export interface QuietOptions {
  /** Frames without any change after which a page that did nothing is left alone. */
  readonly frames: number;
  /** Once something changed: how long nothing more may. Milliseconds. */
  readonly quietMs: number;
  /** Something is known to have happened, so `quietMs` counts from now in any case. */
  readonly active: boolean;
  readonly maxMs: number;
}

/** Tells when a document has calmed down (AC5); runs inside the page. */
export class PageQuiet {
  readonly #frames: PageFrames;
  #observer: MutationObserver | undefined;
  #changedAt = 0;
  #forget = 0;

  constructor(frames: PageFrames) {
    this.#frames = frames;
  }

  /**
   * Begins to watch before an action, so that what it changes at once is known afterwards. Forgotten after a while.
   * Milliseconds.
   */
  arm(forMs: number): void {
    this.#watch();
    this.#forget = window.setTimeout(() => this.#stop(), forMs);
  }

  /** Waits for calm, from the moment it was armed or now. True when it is calm, false when the time was over first. */
  async calm(wish: QuietOptions): Promise<boolean> {
    const end = performance.now() + wish.maxMs;
    if (!this.#observer) this.#watch();
    clearTimeout(this.#forget);
    if (wish.active) this.#changedAt = performance.now();
    try {
      for (let frame = 0; frame < wish.frames || this.#busy(wish.quietMs); frame += 1) {
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

  /** Style attributes and drawings move in animations that may never end; they are not content. */
  #counts(record: MutationRecord): boolean {
    if (record.type !== 'attributes') return true;
    return record.attributeName !== 'style' && !(record.target instanceof SVGElement);
  }

  /** The document, its open shadow roots and same-process frames, as far as the first `most` elements show them. */
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
