import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { watchDocument } from '../quiet';
import type { PageElement } from './element';
import { FramePath, type FramePositions } from './frame-path';
import type { Probed, ProbeOptions } from './page/probe';
import type { TargetTab } from './ports';
import { probedSchema, rectsSchema } from './probed';
import { DocumentGone, type InjectedArgument, type PageWorld } from './world';

/** The result of a look at an element, combined over its own document and all documents out to the tab's viewport. */
export type ProbedElement = Omit<Probed, 'points'> & {
  /** Where to press, in CSS px of the tab's viewport. */
  readonly point?: Point | undefined;
  /** The element or frame element to ask for its blocker: the one that is covered. */
  readonly asked?: { readonly world: PageWorld; readonly objectId: string } | undefined;
};

/** Points that are tried of an element in a frame, since the frame may cut off or cover the first one. */
const MOST_POINTS = 5;

const GONE: ProbedElement = { state: 'gone', why: 'its page was replaced' };

/**
 * Looks at elements of a tab, in whatever frame they are (AC3). Holds the frame elements on the way until `release`.
 */
export class ElementLook {
  #path: { readonly frameId: string; readonly path: FramePath } | undefined;

  constructor(
    private readonly budget: Budget,
    private readonly tab: TargetTab,
  ) {}

  /**
   * Throws the budget's reason when it ends, and TAB_UNRESPONSIVE when a frame between the element and the tab hangs.
   */
  async at(element: PageElement, options: ProbeOptions): Promise<ProbedElement> {
    try {
      return await this.#look(element, options);
    } catch (error) {
      if (!(error instanceof DocumentGone) && !(error instanceof WheelhouseError && error.code === 'NODE_GONE'))
        throw error;
      this.tab.worlds.forget(element.world.frameId);
      this.release();
      return GONE;
    }
  }

  /**
   * The middle of the element's first box, whether or not something covers it; undefined when the element has no box.
   */
  async anyPoint(element: PageElement): Promise<Point | undefined> {
    const [box] = await element.ask(this.budget, rectsSchema, 'boxes', 'of', ...textOf(element));
    const path = await this.#framePathTo(element);
    const places = await path.measure(this.budget);
    return box && places && path.outward(places, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  release(): void {
    this.#path?.path.release();
    this.#path = undefined;
  }

  async #look(element: PageElement, options: ProbeOptions): Promise<ProbedElement> {
    const nested = options.mostHitPoints > 0 && element.world.frameId !== this.tab.page.document.frameId;
    if (nested) return this.#lookInside(element, { ...options, mostHitPoints: MOST_POINTS });
    const { points, ...seen } = await element.ask(
      this.budget,
      probedSchema,
      'probe',
      'run',
      { value: options },
      ...textOf(element),
    );
    return { ...seen, point: points[0] };
  }

  async #lookInside(element: PageElement, options: ProbeOptions): Promise<ProbedElement> {
    const path = await this.#framePathTo(element);
    const [rests, probed] = await Promise.all([
      options.stable ? path.rests(this.budget, options.waitMs) : true,
      element.ask(this.budget, probedSchema, 'probe', 'run', { value: options }, ...textOf(element)),
    ]);
    const { points, ...seen } = probed;
    if (seen.state !== 'ready') return seen;
    if (!rests) return { ...seen, state: 'moving', why: 'its frame keeps moving' };
    const places = await path.measure(this.budget);
    if (!places) return { ...seen, state: 'hidden', why: 'its frame is not shown' };
    return { ...seen, ...(await this.#cross(path, places, points)) };
  }

  /**
   * Returns the first point where a press gets through all documents around the frame; if there is none, what blocks
   * the first point.
   */
  async #cross(path: FramePath, places: FramePositions, points: readonly Point[]): Promise<Partial<ProbedElement>> {
    let wrong: Partial<ProbedElement> = {};
    for (const at of points) {
      const { state, why, point, gate } = await path.cross(this.budget, places, at);
      if (state === 'ready') return { point };
      wrong =
        wrong.state === undefined
          ? { state, why, asked: gate && { world: gate.world, objectId: gate.ownerId } }
          : wrong;
    }
    return wrong;
  }

  async #framePathTo({ world }: PageElement): Promise<FramePath> {
    if (this.#path?.frameId === world.frameId) return this.#path.path;
    this.release();
    const way = await FramePath.from(this.budget, this.tab, world.frameId);
    this.#path = { frameId: world.frameId, path: way };
    watchFrameFor(this.budget, this.tab, world.frameId);
    return way;
  }
}

/** The text node that the target names, as an additional argument of a helper; empty when it names none. */
function textOf({ text }: PageElement): InjectedArgument[] {
  return text === undefined ? [] : [{ objectId: text }];
}

/** Starts to watch a frame of another process, so that settling sees what the action causes there (AC5). */
export function watchFrameFor(budget: Budget, { frames, worlds }: TargetTab, frameId: string): void {
  const frame = frames.targetOf(frameId);
  if (!frame) return;
  frames.acted = frameId;
  void frame.activity;
  watchDocument(budget, { worlds, frameId });
}
