import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { CdpError } from '@/server/cdp/protocol';
import type { FencedSession } from '../write';
import type { PageElement } from './element';
import type { ElementFacts } from './page/facts';
import { ElementLook, type ProbedElement } from './element-look';
import type { ProbeOptions } from './page/probe';
import { ELEMENT_WAIT, elementWaitMs } from './element-wait';
import type { TargetTab } from './ports';
import { CoverLookup, refusalOf } from './refusal';

export interface ActionabilityOptions {
  readonly enabled?: boolean;
  readonly editable?: boolean;
  /** Whether the caller needs a point where a press reaches the element. Default true. */
  readonly hitTest?: boolean;
  /** Skips the checks; the reply then carries a warning (AC3). */
  readonly force?: boolean | undefined;
}

export interface Actionable {
  readonly element: PageElement;
  /** CSS px of the viewport; undefined when the caller asked for no point. */
  readonly point: Point | undefined;
  readonly facts: ElementFacts;
  readonly warnings: readonly string[];
}

/** Finds an element, and finds it again after the page has replaced it. */
export interface Finder {
  find(): Promise<PageElement>;
  again(): Promise<PageElement>;
}

/**
 * Places in the viewport that a covered element is scrolled to, in turn: a fixed element may lie over the usual place.
 */
const OTHER_PLACES = ['end', 'center', 'start'] as const;

/**
 * One wait until an element can be acted on: looks at it, scrolls to it, looks it up again, and throws the last reason
 * when the time is over.
 */
export class Attempt {
  readonly #until: number;
  #scrolls = 0;
  #stepDone = (): void => undefined;
  #seen: ProbedElement | undefined;
  readonly #elementLook: ElementLook;
  readonly #covers: CoverLookup;

  constructor(
    private readonly budget: Budget,
    private readonly write: FencedSession,
    tab: TargetTab,
    private readonly finder: Finder,
    private readonly options: ActionabilityOptions,
  ) {
    this.#elementLook = new ElementLook(budget, tab);
    this.#covers = new CoverLookup(budget, tab);
    this.#until = budget.elapsedMs() + elementWaitMs(budget);
  }

  /** Throws what `makeActionable` documents, and releases the element before it throws. */
  async run(): Promise<Actionable> {
    let element = await this.budget.during('find the element', () => this.finder.find());
    try {
      for (;;) {
        const seen = await this.#look(element);
        this.#note(seen);
        this.#covers.begin(element, seen);
        if (seen.state === 'ready' && seen.facts) return this.#ready(element, seen.facts, seen.point, []);
        if (seen.state === 'gone') element = await this.#again(element);
        else if (this.#hopeless(seen)) return await this.#giveUp(element, seen);
        else await this.#bring(element, seen);
      }
    } catch (error) {
      // When the budget ends while the page is slow to answer, the last look says more than a bare TIMEOUT.
      const seen = this.#timedOut() && this.#seen?.state !== 'gone' ? this.#seen : undefined;
      const refusal = seen && (await refusalOf(this.budget, this.#covers, element, seen));
      element.release();
      throw refusal ?? error;
    } finally {
      this.#elementLook.release();
    }
  }

  #look(element: PageElement): Promise<ProbedElement> {
    const options: ProbeOptions = {
      enabled: this.options.enabled ?? false,
      editable: this.options.editable ?? false,
      mostHitPoints: this.options.hitTest === false ? 0 : 1,
      stable: this.options.force !== true,
      scrolled: this.#scrolls > 0,
      waitMs: this.options.force === true ? 0 : Math.max(0, Math.min(ELEMENT_WAIT.lookMs, this.#left())),
    };
    return this.#elementLook.at(element, options);
  }

  /** Writes one entry of the call log for each new state (BU4). */
  #note(seen: ProbedElement): void {
    const known = this.#seen?.state === seen.state;
    this.#seen = seen;
    if (known) return;
    this.#stepDone();
    this.#stepDone = this.budget.step(
      seen.state === 'ready' ? 'the element is ready' : `the element is ${seen.state}: ${seen.why}`,
    );
    if (seen.state === 'ready') this.#stepDone();
  }

  #hopeless(seen: ProbedElement): boolean {
    if (seen.state === 'wrong') return true;
    const unreached = seen.state === 'offscreen' || seen.state === 'covered' || seen.state === 'hidden';
    if (unreached && this.#scrolls === 0) return false;
    return this.options.force === true || this.#left() <= 0;
  }

  async #again(element: PageElement): Promise<PageElement> {
    element.release();
    for (;;) {
      if (this.#left() <= 0) throw new WheelhouseError('NODE_GONE', 'The element keeps being replaced by the page.');
      try {
        return await this.budget.during('find the element again', () => this.finder.again());
      } catch (error) {
        // A page that re-renders removes the element before it inserts the new one, and may replace that one during the
        // lookup.
        if (!(error instanceof WheelhouseError) || error.code !== 'NODE_GONE' || this.#left() <= ELEMENT_WAIT.againMs)
          throw error;
        await this.budget.pause(ELEMENT_WAIT.againMs);
      }
    }
  }

  /**
   * Scrolls to an element out of reach, first the plain way, then to other places. Source: DOM.scrollIntoViewIfNeeded.
   */
  async #bring(element: PageElement, seen: ProbedElement): Promise<void> {
    if (seen.state !== 'offscreen' && seen.state !== 'covered' && seen.state !== 'hidden') return;
    const place = OTHER_PLACES[this.#scrolls - 1];
    this.#scrolls += 1;
    if (this.#scrolls === 1) await scrollTo(this.budget, this.write, element);
    else if (place !== undefined && seen.state !== 'hidden')
      await element.change(this.budget, this.write, z.unknown(), 'scroller', 'align', { value: place });
  }

  async #giveUp(element: PageElement, seen: ProbedElement): Promise<Actionable> {
    const forced = this.options.force === true && seen.facts ? await this.#forced(element, seen) : undefined;
    if (forced && seen.facts)
      return this.#ready(element, seen.facts, forced, [`Done by force although ${reasonOf(seen)}.`]);
    throw await refusalOf(this.budget, this.#covers, element, seen);
  }

  /** The middle of the element's first box, whether or not something covers it. */
  async #forced(element: PageElement, seen: ProbedElement): Promise<Point | undefined> {
    return seen.state === 'wrong' || seen.state === 'offscreen' ? undefined : this.#elementLook.anyPoint(element);
  }

  #ready(element: PageElement, facts: ElementFacts, point: Point | undefined, warnings: readonly string[]): Actionable {
    const forced =
      this.options.force === true && warnings.length === 0 ? ['The checks of the element were skipped by force.'] : [];
    return { element, point, facts, warnings: [...warnings, ...forced] };
  }

  #timedOut(): boolean {
    return this.budget.over && this.budget.reason().code === 'TIMEOUT';
  }

  #left(): number {
    return this.#until - this.budget.elapsedMs();
  }
}

/**
 * Scrolls every scroll container around an element until the element is in view, including those of the documents
 * around its frame. Source: DOM.scrollIntoViewIfNeeded.
 */
async function scrollTo(budget: Budget, write: FencedSession, element: PageElement): Promise<void> {
  await budget.during('scroll to the element', async () => {
    try {
      await element.fenced(write)('DOM.scrollIntoViewIfNeeded', { objectId: element.text ?? element.objectId });
    } catch (error) {
      // An element without a box cannot be scrolled to; the next look gives a better reason than Chrome's error.
      if (!(error instanceof CdpError)) throw error;
    }
  });
}

function reasonOf(seen: ProbedElement): string {
  return seen.state === 'covered' ? `it is covered by ${seen.why}` : seen.why;
}
