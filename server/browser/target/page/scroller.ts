import type { PageBoxes } from './boxes';
import type { PagePoint } from './reach';

export interface ScrollState {
  /** Scrolled so far and at most, CSS px. */
  readonly x: number;
  readonly y: number;
  readonly maxX: number;
  readonly maxY: number;
  /** What is seen of it at once, CSS px. */
  readonly width: number;
  readonly height: number;
  /** Its middle in its frame's viewport: where a wheel turns it. */
  readonly middle: PagePoint;
}

/** Reads and, where wheels do nothing, sets scroll positions; runs inside the page. */
export class PageScroller {
  readonly #boxes: PageBoxes;

  constructor(boxes: PageBoxes) {
    this.#boxes = boxes;
  }

  /** What scrolls when a wheel turns over this element: itself or the nearest one around it, else the page. */
  state(element: Element | null, vertical: boolean): ScrollState {
    const scroller = this.#scrollerOf(element, vertical);
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = scroller;
    const shown = scroller === this.#page() ? { x: 0, y: 0, width: innerWidth, height: innerHeight } : scroller.getBoundingClientRect();
    const seen = this.#boxes.overlap(shown, { x: 0, y: 0, width: innerWidth, height: innerHeight }) ?? shown;
    return {
      x: scrollLeft,
      y: scrollTop,
      maxX: Math.max(0, scrollWidth - clientWidth),
      maxY: Math.max(0, scrollHeight - clientHeight),
      width: clientWidth,
      height: clientHeight,
      middle: { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 },
    };
  }

  /** The state once it stayed the same for three frames, or the time is over. Milliseconds. */
  async rested(element: Element | null, vertical: boolean, waitMs: number): Promise<ScrollState> {
    const end = performance.now() + waitMs;
    let still = 0;
    let before = this.state(element, vertical);
    while (still < 3 && performance.now() < end) {
      await this.#frame();
      const now = this.state(element, vertical);
      still = now.x === before.x && now.y === before.y ? still + 1 : 0;
      before = now;
    }
    return before;
  }

  /** Sets the position directly. */
  set(element: Element | null, vertical: boolean, x: number, y: number): void {
    this.#scrollerOf(element, vertical).scrollTo({ left: x, top: y, behavior: 'instant' });
  }

  /** Brings an element to a place in the viewport, for when the usual one is covered by something fixed. */
  align(element: Element, block: ScrollLogicalPosition): void {
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
  }

  #scrollerOf(element: Element | null, vertical: boolean): Element {
    for (let at = element; at && at !== this.#page(); at = this.#boxes.parentOf(at)) if (this.#scrolls(at, vertical)) return at;
    return this.#page();
  }

  #scrolls(element: Element, vertical: boolean): boolean {
    const style = getComputedStyle(element);
    const overflow = vertical ? style.overflowY : style.overflowX;
    const more = vertical ? element.scrollHeight - element.clientHeight : element.scrollWidth - element.clientWidth;
    return more > 0 && (overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay');
  }

  #page(): Element {
    return document.scrollingElement ?? document.documentElement;
  }

  #frame(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, 120);
      requestAnimationFrame(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }
}
