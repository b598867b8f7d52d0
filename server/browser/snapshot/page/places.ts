import type { DocumentWatch } from './watch';

/** Where elements are in the window. Sent into pages: uses nothing but its own members and the watch. */
export class DocumentPlaces {
  /** Elements whose box is not inside their parent's: looked at by themselves, wherever their parents are. */
  readonly strays = new Set<Element>();
  readonly #watch: DocumentWatch;
  #here = new Set<number>();
  #seen = new Set<Element>();

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /**
   * The size of the window, and the numbers of all elements that lie at least partly in it. What is inside an element out of view is not looked at, apart from strays.
   * A box takes four microseconds: those of all elements would take longer than all else together.
   */
  now(): { here: number[]; width: number; height: number } {
    this.#here = new Set();
    this.#seen = new Set();
    const width = document.scrollingElement?.clientWidth ?? innerWidth;
    const height = document.scrollingElement?.clientHeight ?? innerHeight;
    if (document.documentElement) this.#visit(document.documentElement, width, height);
    for (const stray of this.strays) this.#visit(stray, width, height);
    return { here: [...this.#here], width, height };
  }

  /** The box of an element, and whether it strays. */
  note(element: Element, around: Element | null): number[] {
    const { left, top, width, height } = element.getBoundingClientRect();
    const outer = around?.getBoundingClientRect();
    if (!outer || left < outer.left || top < outer.top || left + width > outer.right || top + height > outer.bottom) this.strays.add(element);
    return [left, top, width, height];
  }

  #visit(from: Element, width: number, height: number): void {
    const waiting = [from];
    for (let element = waiting.pop(); element; element = waiting.pop()) {
      if (this.#seen.has(element)) continue;
      this.#seen.add(element);
      const box = element.getBoundingClientRect();
      const inside = box.left < width && box.left + Math.max(box.width, 1) > 0 && box.top < height && box.top + Math.max(box.height, 1) > 0;
      const key = inside ? this.#watch.keys.get(element) : undefined;
      if (key !== undefined) this.#here.add(key);
      if (!inside && box.width !== 0 && box.height !== 0) continue;
      for (let child = element.lastElementChild; child; child = child.previousElementSibling) waiting.push(child);
      const shadow = this.#watch.openRoot(element);
      for (let child = shadow?.lastElementChild; child; child = child.previousElementSibling) waiting.push(child);
    }
  }
}
