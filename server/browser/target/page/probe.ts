import type { PageBoxes } from './boxes';
import type { ElementFacts, PageFacts } from './facts';
import type { PageFrames } from './frames';
import type { PagePoint, PageReach } from './reach';

export interface ProbeWish {
  readonly enabled: boolean;
  readonly editable: boolean;
  /** Find a point where a press reaches it. */
  readonly aim: boolean;
  /** The same box over two animation frames. */
  readonly stable: boolean;
  /** Whether it was scrolled to already; before, an element out of reach is reported at once. */
  readonly scrolled: boolean;
  /** How long to go on looking, once a frame, until all of it holds. Milliseconds. */
  readonly waitMs: number;
}

export type ProbeState = 'ready' | 'gone' | 'hidden' | 'disabled' | 'readonly' | 'wrong' | 'moving' | 'offscreen' | 'covered';

export interface Probed {
  readonly state: ProbeState;
  /** What is wrong, in words that end a sentence. */
  readonly why: string;
  /** In the viewport of the outermost reachable frame. */
  readonly point?: PagePoint | undefined;
  readonly facts?: ElementFacts | undefined;
}

/** Looks at one element until it can be acted on (AC3); runs inside the page. */
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

  async run(element: Element, wish: ProbeWish): Promise<Probed> {
    const end = performance.now() + wish.waitMs;
    let still = 0;
    let before: string | undefined;
    for (;;) {
      const seen = this.#look(element, wish);
      const place = this.#place(element);
      const moved = before !== undefined && before !== place;
      still = before === place ? still + 1 : 0;
      before = place;
      if (this.#final(seen, wish)) return seen;
      if (seen.state === 'ready' && (!wish.stable || still >= 2)) return seen;
      // Where frames come slowly the time may be over before there were two: that is no movement.
      if (performance.now() >= end && seen.state !== 'ready') return seen;
      if (performance.now() >= end && moved) return { ...seen, state: 'moving', why: 'it keeps moving' };
      await this.#frames.next();
    }
  }

  /** What the last look found in the way, innermost first, up to where it also holds the target. */
  blockers(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at = this.#blocker ?? null; at && !at.contains(element) && chain.length < 8; at = this.#boxes.parentOf(at)) chain.push(at);
    return chain;
  }

  #look(element: Element, wish: ProbeWish): Probed {
    if (!element.isConnected || element.ownerDocument !== document) return this.#not('gone', 'it is no longer in the page');
    const facts = this.#facts.of(element);
    if (wish.editable && facts.editable === 'no') return this.#not('wrong', 'it is not a text field', facts);
    if (wish.aim && facts.tag === 'option' && element.closest('select')) return this.#not('wrong', 'it is an option of a select, which is chosen by the select action', facts);
    const hidden = this.#boxes.hiddenBecause(element);
    if (hidden !== undefined) return this.#not('hidden', hidden, facts);
    if (wish.enabled && facts.disabled !== undefined) return this.#not('disabled', facts.disabled, facts);
    if (wish.editable && facts.readOnly) return this.#not('readonly', 'it is read-only', facts);
    return wish.aim ? this.#aim(element, facts) : { state: 'ready', why: '', point: undefined, facts };
  }

  #aim(element: Element, facts: ElementFacts): Probed {
    const aimed = this.#reach.aim(element);
    if ('point' in aimed) return { state: 'ready', why: '', point: aimed.point, facts };
    this.#blocker = aimed.blocker;
    const closed = this.#boxes.cutAwayBy(element, this.#boxes.of(element));
    if (closed) return this.#not('hidden', `it is cut away by ${this.#facts.describe(closed)}`, facts);
    if (!aimed.blocker) return this.#not('offscreen', 'it is outside the viewport', facts);
    return this.#not('covered', this.#facts.describe(aimed.blocker), facts);
  }

  /** Waiting cannot change it, or somebody must scroll first. */
  #final(seen: Probed, wish: ProbeWish): boolean {
    if (seen.state === 'gone' || seen.state === 'wrong') return true;
    return !wish.scrolled && (seen.state === 'offscreen' || seen.state === 'covered' || (seen.state === 'hidden' && seen.why.startsWith('it is cut')));
  }

  #place(element: Element): string {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].join();
  }

  #not(state: ProbeState, why: string, facts?: ElementFacts): Probed {
    return { state, why, point: undefined, facts };
  }
}
