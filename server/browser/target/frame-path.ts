import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { mapOf, quadOf, type QuadMap } from '@/lib/geometry/quad';
import { CdpError } from '@/server/cdp/protocol';
import type { FrameView, TabFrames } from '../frames/tab-frames';
import type { Crossing } from './page/probe';
import { crossingSchema, rectSchema } from './probed';
import { injectedCall, type PageWorld } from './world';
import type { IsolatedWorlds } from './isolated-worlds';

/** The parts of a tab that locating a frame needs. */
export interface FrameTab {
  readonly frames: Pick<TabFrames, 'of' | 'ownerOf' | 'sessionsOf'>;
  readonly worlds: IsolatedWorlds;
}

/** A frame element between a frame and the tab's viewport, held in the world of the document that contains it. */
interface FrameOwner {
  readonly world: PageWorld;
  readonly ownerId: string;
  readonly frame: FrameView;
}

/** Where a frame is shown in its parent target; both in CSS px. */
interface FramePosition {
  readonly map: QuadMap;
  readonly width: number;
  readonly height: number;
}

/** The positions of all frames of a path at one moment. */
export type FramePositions = readonly FramePosition[];

export interface CrossingResult extends Crossing {
  /** In the tab's viewport. */
  readonly point: Point;
  /** The frame element that is covered or out of view. */
  readonly gate: FrameOwner | undefined;
}

/**
 * The frame elements from a frame out to the tab's viewport. Maps points through the content box of each of them, with
 * its scrolling, borders, zoom and transforms, in one process or several. Source: DOM.getFrameOwner, DOM.getBoxModel,
 * whose quads count from the viewport of their target.
 */
export class FramePath {
  private constructor(
    private readonly tab: FrameTab,
    private readonly gates: readonly FrameOwner[],
  ) {}

  /** Holds the frame elements until `release`. Throws NODE_GONE, TAB_UNRESPONSIVE, DocumentGone. */
  static async from(budget: Budget, tab: FrameTab, frameId: string): Promise<FramePath> {
    const gates: FrameOwner[] = [];
    for (
      let frame = frameOf(tab, frameId);
      frame.parentFrameId !== undefined;
      frame = frameOf(tab, frame.parentFrameId)
    ) {
      const world = await tab.worlds.of(budget, frame.parentFrameId);
      const owner = await tab.frames.ownerOf(budget, frame.frameId);
      gates.push({ world, ownerId: await world.resolve(budget, owner), frame });
    }
    return new FramePath(tab, gates);
  }

  /** Measures where all frames of the path are now; undefined when one of them is not rendered. */
  async measure(budget: Budget): Promise<FramePositions | undefined> {
    const places = await Promise.all(this.gates.map((gate) => this.#place(budget, gate)));
    const shown = places.filter((place) => place !== undefined);
    return shown.length === places.length ? shown : undefined;
  }

  /** Waits until no frame element of the path moves; false when one still moves after `waitMs`. */
  async rests(budget: Budget, waitMs: number): Promise<boolean> {
    const each = this.gates.map(({ world, ownerId }) =>
      world.call(budget, z.boolean(), injectedCall('probe', 'rests', { objectId: ownerId }, { value: waitMs })),
    );
    return (await Promise.all(each)).every(Boolean);
  }

  /** Maps a point of the frame's viewport to the tab's viewport. */
  outward(places: FramePositions, point: Point): Point {
    return this.#steps(places, point).at(-1) ?? point;
  }

  /** Maps a point of the tab's viewport to the frame's; undefined for a point that a tilted frame shows at infinity. */
  inward(places: FramePositions, point: Point): Point | undefined {
    let at = point;
    for (const [index, place] of [...places.entries()].toReversed()) {
      const inside = place.map.inward(this.#toRoot(places, index + 1, at));
      if (!inside) return undefined;
      at = { x: inside.x * place.width, y: inside.y * place.height };
    }
    return at;
  }

  /**
   * Asks each document around the frame whether a press at a point of the frame's viewport gets into the next frame
   * element.
   */
  async cross(budget: Budget, places: FramePositions, point: Point): Promise<CrossingResult> {
    const steps = this.#steps(places, point);
    const end = steps.at(-1) ?? point;
    const seen = await Promise.all(
      this.gates.map(({ world, ownerId }, index) =>
        world.call(
          budget,
          crossingSchema,
          injectedCall('probe', 'over', { objectId: ownerId }, { value: steps[index] }),
        ),
      ),
    );
    // The outermost blocker lies over everything further in.
    const at = seen.findLastIndex(({ state }) => state !== 'ready');
    const [found, gate] = [seen[at], this.gates[at]];
    return found && gate ? { ...found, point: end, gate } : { state: 'ready', why: '', point: end, gate: undefined };
  }

  /**
   * Tells for each point of the frame's viewport whether an element of a parent document covers it: one question to
   * each parent document, for at most `maxMs` milliseconds.
   */
  async outerCovers(
    budget: Budget,
    places: FramePositions,
    points: readonly Point[],
    maxMs: number,
  ): Promise<boolean[]> {
    const steps = points.map((point) => this.#steps(places, point));
    const asked = this.gates.map(({ world, ownerId }, index) => {
      const there = steps.map((step) => step[index]);
      return world.call(
        budget,
        z.array(z.boolean()),
        injectedCall('reach', 'coversOver', { objectId: ownerId }, { value: there }, { value: maxMs }),
      );
    });
    const seen = await Promise.all(asked);
    return points.map((_, index) => seen.some((over) => over[index] === true));
  }

  release(): void {
    for (const { world, ownerId } of this.gates) world.release(ownerId);
  }

  /** The point in the viewport of each parent document, innermost first; the tab's own is the last. */
  #steps(places: FramePositions, from: Point): Point[] {
    const steps: Point[] = [];
    let at = from;
    for (const [index, place] of places.entries()) {
      const shown = place.map.outward({ x: at.x / place.width, y: at.y / place.height });
      at = this.#fromRoot(places, index + 1, shown);
      steps.push(at);
    }
    return steps;
  }

  /**
   * Maps a point of a target's viewport to the viewport of a document in it, which may itself be in a frame of the same
   * target.
   */
  #fromRoot(places: FramePositions, index: number, shown: Point): Point {
    const [gate, place] = [this.gates[index], places[index]];
    if (!gate || !place || gate.frame.targetId === gate.frame.frameId) return shown;
    const inside = place.map.inward(shown) ?? shown;
    return { x: inside.x * place.width, y: inside.y * place.height };
  }

  /** The inverse of `#fromRoot`. */
  #toRoot(places: FramePositions, index: number, at: Point): Point {
    const [gate, place] = [this.gates[index], places[index]];
    if (!gate || !place || gate.frame.targetId === gate.frame.frameId) return at;
    return place.map.outward({ x: at.x / place.width, y: at.y / place.height });
  }

  async #place(budget: Budget, { world, ownerId, frame }: FrameOwner): Promise<FramePosition | undefined> {
    const inner = await this.tab.worlds.of(budget, frame.frameId);
    const [model, view] = await Promise.all([
      budget.race(boxModel(world, ownerId)),
      inner.call(budget, rectSchema, injectedCall('boxes', 'viewport')),
    ]);
    const quad = model && quadOf(model.content);
    return quad && view.width > 0 && view.height > 0
      ? { map: mapOf(quad), width: view.width, height: view.height }
      : undefined;
  }
}

function frameOf(tab: FrameTab, frameId: string): FrameView {
  const frame = tab.frames.of(frameId);
  if (frame) return frame;
  throw new WheelhouseError('NODE_GONE', 'The frame of that element went away.', { details: { frame: frameId } });
}

async function boxModel(world: PageWorld, objectId: string) {
  try {
    return (await world.session.send('DOM.getBoxModel', { objectId })).model;
  } catch (error) {
    // A frame element that is not rendered has no box model.
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}
