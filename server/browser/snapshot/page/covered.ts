import type { PageBoxes } from '../../target/page/boxes';
import type { PageReach } from '../../target/page/reach';
import type { Rect } from '../../target/page/rect';

/**
 * Finds what is covered. Like the classes it uses it runs inside the page, in an isolated world: its source text is
 * sent there, so it may use nothing but its own members and what the constructor got.
 */
export class PageCovers {
  constructor(
    private readonly boxes: PageBoxes,
    private readonly reach: PageReach,
  ) {}

  /**
   * The covered ones among the first `most` that are in view; null when there are none, which is the rule. Bounded by number, so that the same page
   * always gives the same answer; `maxMs` milliseconds only end what would be endless.
   */
  find(most: number, maxMs: number): Element[] | null {
    const until = performance.now() + maxMs;
    const found: Element[] = [];
    let tested = 0;
    for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role], [tabindex], [contenteditable], iframe')) {
      if (tested >= most || performance.now() > until) break;
      const part = this.#shownPart(element);
      if (!part) continue;
      tested += 1;
      if (this.#isCovered(element, part)) found.push(element);
    }
    return found.length === 0 ? null : found;
  }

  /** Only when sure: at three points of the part in view something else would be hit, which the element is not in. */
  #isCovered(element: Element, { x, y, width, height }: Rect): boolean {
    if (getComputedStyle(element).pointerEvents === 'none' || !this.boxes.isVisible(element)) return false;
    const places = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.8]] as const;
    return places.every(([right, down]) => {
      const blocker = this.reach.blockerAt(element, { x: x + width * right, y: y + height * down });
      return blocker !== null && !blocker.contains(element);
    });
  }

  /** What of its first box the window and the boxes around it let be seen. */
  #shownPart(element: Element): Rect | undefined {
    const { x, y, width, height } = element.getBoundingClientRect();
    // Most of a long page: nothing is made for what lies outside.
    if (x >= window.innerWidth || y >= window.innerHeight || x + width <= 0 || y + height <= 0) return undefined;
    let part: Rect | undefined = this.boxes.overlap({ x, y, width, height }, { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight });
    for (let outer = part && this.boxes.parentOf(element); part && outer; outer = this.boxes.parentOf(outer)) {
      if (getComputedStyle(outer).overflow !== 'visible') part = this.boxes.overlap(part, outer.getBoundingClientRect());
    }
    return part && part.width >= 4 && part.height >= 4 ? part : undefined;
  }
}
