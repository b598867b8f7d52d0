import type { PageBoxes } from '../../target/page/boxes';
import type { PagePoint, PageReach } from '../../target/page/reach';
import type { Rect } from '../../target/page/rect';

interface Tested {
  readonly part: Rect;
  readonly covered: boolean;
}

/**
 * Finds covered elements. Like the classes that it uses it runs inside the page, in an isolated world: its source text
 * is sent there, so it may use only its own members and its constructor's arguments.
 */
export class PageCovers {
  #tested = new Map<Element, Tested>();
  #free: Element[] = [];

  constructor(
    private readonly boxes: PageBoxes,
    private readonly reach: PageReach,
  ) {}

  /**
   * The covered elements among the first `most` in view; null when there are none, which is the usual case. The number
   * bounds the work, so that the same page always gives the same answer; `maxMs` milliseconds only end what would take
   * far too long.
   */
  find(most: number, maxMs: number): Element[] | null {
    const found = this.again(most, maxMs, () => true, undefined);
    return found.length === 0 ? null : found;
  }

  /**
   * Finds covered elements among those for which `near` is true. `moved`: the boxes that changed since the last run,
   * when nothing else changed that a hit test depends on. An element that was not covered and that no such box touches
   * is not tested again (a test takes a fifth of a millisecond on a page of 1 000 controls).
   */
  again(
    most: number,
    maxMs: number,
    near: (element: Element) => boolean,
    moved: readonly Rect[] | undefined,
  ): Element[] {
    const until = performance.now() + maxMs;
    const found: Element[] = [];
    const before = this.#tested;
    this.#tested = new Map();
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role], [tabindex], [contenteditable], iframe',
    )) {
      if (this.#tested.size >= most || performance.now() > until) break;
      const part = near(element) ? this.boxes.shownPart(element) : undefined;
      if (!part) continue;
      const covered = !(moved && this.#isStillFree(before.get(element), part, moved)) && this.#isCovered(element, part);
      this.#tested.set(element, { part, covered });
      if (covered) found.push(element);
    }
    return found;
  }

  /**
   * Three hit-test points of each element that nothing in this document covered the last time, for the parent documents
   * to test.
   */
  hitPoints(): PagePoint[][] {
    this.#free = [...this.#tested].flatMap(([element, { covered }]) => (covered ? [] : [element]));
    return this.#free.map((element) =>
      this.#points(this.#tested.get(element)?.part ?? { x: 0, y: 0, width: 0, height: 0 }),
    );
  }

  /** The elements at these indexes of the last `hitPoints`. */
  some(places: readonly number[]): Element[] {
    return places.flatMap((at) => this.#free[at] ?? []);
  }

  #isStillFree(before: Tested | undefined, part: Rect, moved: readonly Rect[]): boolean {
    if (!before || before.covered) return false;
    const { x, y, width, height } = before.part;
    return (
      x === part.x &&
      y === part.y &&
      width === part.width &&
      height === part.height &&
      moved.every((box) => this.boxes.overlap(box, part) === undefined)
    );
  }

  /**
   * Whether an element counts as covered: at three points of its visible part a press would hit another element that
   * does not contain it.
   */
  #isCovered(element: Element, { x, y, width, height }: Rect): boolean {
    if (getComputedStyle(element).pointerEvents === 'none' || !this.boxes.isVisible(element)) return false;
    return this.#points({ x, y, width, height }).every((point) => {
      const blocker = this.reach.blockerAt(element, point);
      return blocker !== null && !blocker.contains(element);
    });
  }

  #points({ x, y, width, height }: Rect): PagePoint[] {
    const places = [
      [0.5, 0.5],
      [0.15, 0.2],
      [0.85, 0.8],
    ] as const;
    return places.map(([right, down]) => ({ x: x + width * right, y: y + height * down }));
  }
}
