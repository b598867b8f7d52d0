import type { PageFrames } from './frames';

export interface QuietWish {
  /** Frames without any change after which a page that did nothing is left alone. */
  readonly frames: number;
  /** Once something changed: how long nothing more may. Milliseconds. */
  readonly quietMs: number;
  readonly maxMs: number;
}

/** Tells when a document has calmed down (AC5); runs inside the page. */
export class PageQuiet {
  readonly #frames: PageFrames;

  constructor(frames: PageFrames) {
    this.#frames = frames;
  }

  /** True when it is calm, false when the time was over first. */
  async calm(wish: QuietWish): Promise<boolean> {
    const end = performance.now() + wish.maxMs;
    let changedAt = 0;
    const observer = new MutationObserver((records) => {
      if (records.some((record) => this.#counts(record))) changedAt = performance.now();
    });
    for (const root of this.#roots(document, 3_000)) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    try {
      for (let frame = 0; frame < wish.frames || this.#busy(changedAt, wish.quietMs); frame += 1) {
        if (performance.now() >= end) return false;
        await this.#frames.next();
      }
      return true;
    } finally {
      observer.disconnect();
    }
  }

  #busy(changedAt: number, quietMs: number): boolean {
    return changedAt > 0 && performance.now() - changedAt < quietMs;
  }

  /** Style attributes and drawings move in animations that may never end; they are not content. */
  #counts(record: MutationRecord): boolean {
    if (record.type !== 'attributes') return true;
    return record.attributeName !== 'style' && !(record.target instanceof SVGElement);
  }

  /** The document and its open shadow roots, as far as the first `most` elements show them. */
  #roots(root: Document | ShadowRoot, most: number): Node[] {
    const roots: Node[] = [root];
    let seen = 0;
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(...this.#roots(element.shadowRoot, most));
      seen += 1;
      if (seen >= most) break;
    }
    return roots;
  }
}
