import type { DocumentWatch } from './watch';

/** Where elements are in the window. Sent into pages as source text: uses only its own members and the watch. */
export class DocumentPlaces {
  /** Elements whose box is not inside their parent's; they are visited by themselves, wherever their parents are. */
  readonly outOfFlow = new Set<Element>();
  readonly #watch: DocumentWatch;
  #here = new Set<number>();
  #seen = new Set<Element>();
  #boxes = new Map<Element, DOMRect>();
  #before: Map<Element, DOMRect> | undefined;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /**
   * The size of the window, and the numbers of all elements that are at least partly in it. Skips the descendants of an
   * element out of view, except those of `outOfFlow`. A box takes four microseconds: reading those of all elements
   * would take longer than the rest of the check.
   */
  now(): { here: number[]; width: number; height: number } {
    this.#here = new Set();
    this.#seen = new Set();
    this.#before = this.#boxes;
    this.#boxes = new Map();
    const width = document.scrollingElement?.clientWidth ?? innerWidth;
    const height = document.scrollingElement?.clientHeight ?? innerHeight;
    if (document.documentElement) this.#visit(document.documentElement, width, height);
    for (const element of this.outOfFlow) this.#visit(element, width, height);
    return { here: [...this.#here], width, height };
  }

  /** Whether an element was in the window at the last `now`. */
  isNear(element: Element): boolean {
    return this.#boxes.has(element);
  }

  /**
   * All boxes in the window that changed between the last two runs of `now`, both as they were and as they are;
   * undefined when there are many.
   */
  moved(): DOMRect[] | undefined {
    const moved: DOMRect[] = [];
    for (const [element, box] of this.#boxes) {
      const before = this.#before?.get(element);
      if (
        before &&
        box.left === before.left &&
        box.top === before.top &&
        box.width === before.width &&
        box.height === before.height
      )
        continue;
      moved.push(box);
      if (before) moved.push(before);
      if (moved.length > 60) return undefined;
    }
    for (const [element, box] of this.#before ?? []) if (!this.#boxes.has(element)) moved.push(box);
    return moved.length > 60 ? undefined : moved;
  }

  /** The box of an element; adds the element to `outOfFlow` when the box is not inside its parent's. */
  note(element: Element, around: Element | null): number[] {
    const { left, top, width, height } = element.getBoundingClientRect();
    const outer = around?.getBoundingClientRect();
    if (!outer || left < outer.left || top < outer.top || left + width > outer.right || top + height > outer.bottom)
      this.outOfFlow.add(element);
    return [left, top, width, height];
  }

  #visit(from: Element, width: number, height: number): void {
    const waiting = [from];
    for (let element = waiting.pop(); element; element = waiting.pop()) {
      if (this.#seen.has(element)) continue;
      this.#seen.add(element);
      const box = element.getBoundingClientRect();
      const inside =
        box.left < width &&
        box.left + Math.max(box.width, 1) > 0 &&
        box.top < height &&
        box.top + Math.max(box.height, 1) > 0;
      const key = inside ? this.#watch.keys.get(element) : undefined;
      if (key !== undefined) this.#here.add(key);
      // An element below a scroll bar is in the window, too.
      const near = inside || (box.left < innerWidth && box.right > 0 && box.top < innerHeight && box.bottom > 0);
      if (near) this.#boxes.set(element, box);
      else if (box.width !== 0 && box.height !== 0) continue;
      for (let child = element.lastElementChild; child; child = child.previousElementSibling) waiting.push(child);
      const shadow = this.#watch.openRoot(element);
      for (let child = shadow?.lastElementChild; child; child = child.previousElementSibling) waiting.push(child);
    }
  }
}
