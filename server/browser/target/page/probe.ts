import type { PageBoxes } from './boxes';
import type { ElementFacts, PageFacts } from './facts';
import type { PageFrames } from './frames';
import type { PagePoint, PageReach } from './reach';

export interface ProbeOptions {
  readonly enabled: boolean;
  readonly editable: boolean;
  /** Number of points to find where a press reaches the element. */
  readonly mostHitPoints: number;
  /** Whether the element must have the same box over two animation frames. */
  readonly stable: boolean;
  /** Whether the element was scrolled to already; if not, an element out of reach is reported at once. */
  readonly scrolled: boolean;
  /** How long to look, once per animation frame, until all conditions hold. Milliseconds. */
  readonly waitMs: number;
}

export type ProbeState =
  | 'ready'
  | 'gone'
  | 'hidden'
  | 'disabled'
  | 'readonly'
  | 'wrong'
  | 'moving'
  | 'offscreen'
  | 'covered';

export interface Probed {
  readonly state: ProbeState;
  /** The reason, worded as the end of a sentence. */
  readonly why: string;
  /** In the viewport of the element's own frame. */
  readonly points: readonly PagePoint[];
  readonly facts?: ElementFacts | undefined;
}

/** Whether a press gets through a parent document into a frame element. */
export interface Crossing {
  readonly state: 'ready' | 'covered' | 'offscreen';
  readonly why: string;
}

/** Looks at one element until it can be acted on (AC3). Runs inside the page. */
export class PageProbe {
  readonly #boxes: PageBoxes;
  readonly #facts: PageFacts;
  readonly #reach: PageReach;
  readonly #frames: PageFrames;
  #blocker: Element | undefined;

  constructor(boxes: PageBoxes, facts: PageFacts, reach: PageReach, frames: PageFrames) {
    this.#boxes = boxes;
    this.#facts = facts;
    this.#reach = reach;
    this.#frames = frames;
  }

  /** `text`: the text node of the element that the target names. */
  async run(element: Element, options: ProbeOptions, text?: Node): Promise<Probed> {
    const end = performance.now() + options.waitMs;
    let still = 0;
    let before: string | undefined;
    for (;;) {
      const seen = this.#look(element, options, text);
      const place = this.#place(element);
      const moved = before !== undefined && before !== place;
      still = before === place ? still + 1 : 0;
      before = place;
      if (this.#final(seen, options)) return seen;
      if (seen.state === 'ready' && (!options.stable || still >= 2)) return seen;
      // Where frames come slowly the time may be over before two came; that alone does not mean that the element moves.
      if (performance.now() >= end && seen.state !== 'ready') return seen;
      if (performance.now() >= end && moved) return { ...seen, state: 'moving', why: 'it keeps moving' };
      await this.#frames.next();
    }
  }

  /**
   * The element that the last look found in the way and its ancestors, innermost first, up to the first that contains
   * the target.
   */
  blockers(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at = this.#blocker ?? null; at && !at.contains(element) && chain.length < 8; at = this.#boxes.parentOf(at))
      chain.push(at);
    return chain;
  }

  /**
   * Waits until an element has the same box over two animation frames; false when the time was over first.
   * Milliseconds.
   */
  async rests(element: Element, waitMs: number): Promise<boolean> {
    const end = performance.now() + waitMs;
    let still = 0;
    for (let before = this.#place(element); still < 2;) {
      await this.#frames.next();
      const place = this.#place(element);
      still = before === place ? still + 1 : 0;
      before = place;
      if (still === 0 && performance.now() >= end) return false;
    }
    return true;
  }

  /** Whether a press at a point of this document goes into a frame element; if not, what covers it. */
  over(frame: Element, point: PagePoint): Crossing {
    const { width, height } = this.#boxes.viewport();
    if (point.x < 0 || point.y < 0 || point.x >= width || point.y >= height)
      return { state: 'offscreen', why: 'it is outside the viewport' };
    this.#blocker = this.#reach.blockerAt(frame, point) ?? undefined;
    return this.#blocker ? { state: 'covered', why: this.#facts.describe(this.#blocker) } : { state: 'ready', why: '' };
  }

  #look(element: Element, options: ProbeOptions, text: Node | undefined): Probed {
    if (!element.isConnected || element.ownerDocument !== document)
      return this.#not('gone', 'it is no longer in the page');
    const facts = this.#facts.of(element);
    if (options.editable && facts.editable === 'no') return this.#not('wrong', 'it is not a text field', facts);
    if (options.mostHitPoints > 0 && facts.tag === 'option' && element.closest('select'))
      return this.#not('wrong', 'it is an option of a select, which is chosen by the select action', facts);
    const hidden = this.#boxes.hiddenBecause(element);
    if (hidden !== undefined) return this.#not('hidden', hidden, facts);
    if (options.enabled && facts.disabled !== undefined) return this.#not('disabled', facts.disabled, facts);
    if (options.editable && facts.readOnly) return this.#not('readonly', 'it is read-only', facts);
    return options.mostHitPoints > 0
      ? this.#hitTest(element, facts, options.mostHitPoints, text)
      : { state: 'ready', why: '', points: [], facts };
  }

  #hitTest(element: Element, facts: ElementFacts, most: number, text: Node | undefined): Probed {
    const aimed = this.#reach.findHitPoints(element, most, text);
    if ('points' in aimed) return { state: 'ready', why: '', points: aimed.points, facts };
    this.#blocker = aimed.blocker;
    const closed = this.#boxes.cutAwayBy(element, this.#boxes.of(element, text));
    if (closed) return this.#not('hidden', `it is cut away by ${this.#facts.describe(closed)}`, facts);
    if (!aimed.blocker) return this.#not('offscreen', 'it is outside the viewport', facts);
    const itself =
      getComputedStyle(element).pointerEvents === 'none' ? ', since it has pointer-events: none itself' : '';
    return this.#not('covered', `${this.#facts.describe(aimed.blocker)}${itself}`, facts);
  }

  /** Whether to stop looking: waiting cannot change the state, or the caller has to scroll first. */
  #final(seen: Probed, options: ProbeOptions): boolean {
    if (seen.state === 'gone' || seen.state === 'wrong') return true;
    return (
      !options.scrolled &&
      (seen.state === 'offscreen' ||
        seen.state === 'covered' ||
        (seen.state === 'hidden' && seen.why.startsWith('it is cut')))
    );
  }

  #place(element: Element): string {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].join();
  }

  #not(state: ProbeState, why: string, facts?: ElementFacts): Probed {
    return { state, why, points: [], facts };
  }
}
