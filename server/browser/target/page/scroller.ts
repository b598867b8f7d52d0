import type { PageBoxes } from './boxes';
import type { PageFrames } from './frames';
import type { PagePoint, PageReach } from './reach';

export interface ScrollState {
  /** Scroll position and its maximum, CSS px. */
  readonly x: number;
  readonly y: number;
  readonly maxX: number;
  readonly maxY: number;
  /** Size of the visible part, CSS px. */
  readonly width: number;
  readonly height: number;
  /**
   * Where a wheel event scrolls it, in its frame's viewport: its middle, or another point where no scroll container
   * inside it takes the event.
   */
  readonly wheelAt: PagePoint;
}

/** Reads scroll positions, and sets them where wheel events do too little. Runs inside the page. */
export class PageScroller {
  readonly #boxes: PageBoxes;
  readonly #frames: PageFrames;
  readonly #reach: PageReach;

  constructor(boxes: PageBoxes, frames: PageFrames, reach: PageReach) {
    this.#boxes = boxes;
    this.#frames = frames;
    this.#reach = reach;
  }

  /**
   * The state of what a wheel event over this element scrolls: the element itself or the nearest scroll container
   * around it, else the page.
   */
  state(element: Element | null, vertical: boolean): ScrollState {
    const scroller = this.#scrollerOf(element, vertical);
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = scroller;
    return {
      x: scrollLeft,
      y: scrollTop,
      maxX: Math.max(0, scrollWidth - clientWidth),
      maxY: Math.max(0, scrollHeight - clientHeight),
      width: clientWidth,
      height: clientHeight,
      wheelAt: this.#wheelAt(scroller, vertical),
    };
  }

  /** The state once it has stayed the same for three frames, or the time is over. Milliseconds. */
  async rested(element: Element | null, vertical: boolean, waitMs: number): Promise<ScrollState> {
    const end = performance.now() + waitMs;
    let still = 0;
    let before = this.state(element, vertical);
    while (still < 3 && performance.now() < end) {
      await this.#frames.next();
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

  /** Scrolls an element to a given place of the viewport, for when a fixed element covers the usual one. */
  align(element: Element, block: ScrollLogicalPosition): void {
    this.#boxes.boxed(element).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
  }

  #wheelAt(scroller: Element, vertical: boolean): PagePoint {
    const view = { x: 0, y: 0, width: innerWidth, height: innerHeight };
    const shown = scroller === this.#page() ? view : scroller.getBoundingClientRect();
    const { x, y, width, height } = this.#boxes.overlap(shown, view) ?? view;
    const places = [
      [0.5, 0.5],
      [0.5, 0.1],
      [0.1, 0.5],
      [0.9, 0.5],
      [0.5, 0.9],
    ] as const;
    const points = places.map(([right, down]) => ({ x: x + width * right, y: y + height * down }));
    const takesTurn = (point: PagePoint): boolean =>
      this.#around(this.#reach.elementAt(point) ?? null, vertical) === scroller;
    return points.find(takesTurn) ?? { x: x + width / 2, y: y + height / 2 };
  }

  /** Without an element: the page if it scrolls, else the scroll container in its middle. */
  #scrollerOf(element: Element | null, vertical: boolean): Element {
    const page = this.#page();
    if (element) return this.#around(element, vertical);
    const room = vertical ? page.scrollHeight - page.clientHeight : page.scrollWidth - page.clientWidth;
    return room > 0
      ? page
      : this.#around(this.#reach.elementAt({ x: innerWidth / 2, y: innerHeight / 2 }) ?? null, vertical);
  }

  #around(element: Element | null, vertical: boolean): Element {
    for (let at = element; at && at !== this.#page(); at = this.#boxes.parentOf(at))
      if (this.#scrolls(at, vertical)) return at;
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
}
