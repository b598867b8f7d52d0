import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { FramePath } from './frame-path';
import { watchFrameFor } from './element-look';
import type { TargetTab } from './ports';
import { injectedCall, type PageWorld } from './world';

/** Depth of nested frames up to which a point is followed. */
const MOST_DEPTH = 20;

/**
 * Runs `work` in the world of the document that a press at a point of the tab's viewport reaches, with that point in
 * the document's own viewport: the page's document, or that of a frame in another process. Throws TAB_UNRESPONSIVE when
 * that frame hangs. Source: DOM.describeNode.
 */
export async function inWorldAt<T>(
  budget: Budget,
  tab: TargetTab,
  point: Point,
  work: (world: PageWorld, at: Point) => Promise<T>,
): Promise<T> {
  const found = await descend(budget, tab, point, 'foreignFrameAt');
  if (found.frameId !== tab.page.document.frameId) watchFrameFor(budget, tab, found.frameId);
  return tab.worlds.use(budget, found.frameId, (world) => work(world, found.at));
}

/**
 * Runs `work` in the world of the innermost document at a point, also of a frame that shares its page's process. For
 * looking only: does not watch the frame for an action.
 */
export async function inDocumentAt<T>(
  budget: Budget,
  tab: TargetTab,
  point: Point,
  work: (world: PageWorld, at: Point) => Promise<T>,
): Promise<T> {
  const found = await descend(budget, tab, point, 'frameAt');
  return tab.worlds.use(budget, found.frameId, (world) => work(world, found.at));
}

/** The helper that each document on the way in is asked: only frames of other processes, or any frame. */
type FrameLookup = 'foreignFrameAt' | 'frameAt';

async function descend(
  budget: Budget,
  tab: TargetTab,
  point: Point,
  step: FrameLookup,
): Promise<{ readonly frameId: string; readonly at: Point }> {
  let found = { frameId: tab.page.document.frameId, at: point };
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const { at } = found;
    const inner = await tab.worlds.use(budget, found.frameId, (world) => frameAt(budget, world, at, step));
    const place = inner === undefined ? undefined : await inside(budget, tab, inner, point);
    if (inner === undefined || !place) break;
    found = { frameId: inner, at: place };
  }
  return found;
}

async function frameAt(budget: Budget, world: PageWorld, at: Point, step: FrameLookup): Promise<string | undefined> {
  const objectId = await world.pick(budget, injectedCall('reach', step, { value: at }));
  if (objectId === undefined) return undefined;
  const { frameId } = await world.node(budget, objectId);
  world.release(objectId);
  return frameId;
}

async function inside(budget: Budget, tab: TargetTab, frameId: string, point: Point): Promise<Point | undefined> {
  const path = await FramePath.from(budget, tab, frameId);
  try {
    const places = await path.measure(budget);
    return places && path.inward(places, point);
  } finally {
    path.release();
  }
}
