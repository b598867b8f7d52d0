import type { Budget } from '@/lib/budget/budget';
import { injectedCall, type PageWorld } from './world';
import type { IsolatedWorlds } from './isolated-worlds';

/** Depth of nested frames up to which the focus is followed. */
const MOST_DEPTH = 20;

/**
 * Runs `work` in the world of the process that has the keyboard focus: the page's, or that of a frame in another
 * process. Source: DOM.describeNode.
 */
export function inFocusedWorld<T>(
  budget: Budget,
  worlds: IsolatedWorlds,
  mainFrameId: string,
  work: (world: PageWorld) => Promise<T>,
): Promise<T> {
  return follow(budget, worlds, { mainFrameId, by: 'foreignFrame' }, work);
}

/** Runs `work` in the world of the document that has the keyboard focus, in whatever process that is. */
export function inFocusedDocument<T>(
  budget: Budget,
  worlds: IsolatedWorlds,
  mainFrameId: string,
  work: (world: PageWorld) => Promise<T>,
): Promise<T> {
  return follow(budget, worlds, { mainFrameId, by: 'frame' }, work);
}

/** The helper that each document on the way is asked: only frames of other processes, or any frame. */
type FrameQuery = 'foreignFrame' | 'frame';

async function follow<T>(
  budget: Budget,
  worlds: IsolatedWorlds,
  { mainFrameId, by }: { readonly mainFrameId: string; readonly by: FrameQuery },
  work: (world: PageWorld) => Promise<T>,
): Promise<T> {
  let frameId = mainFrameId;
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const inner = await worlds.use(budget, frameId, (world) => frameWithFocus(budget, world, by));
    if (inner === undefined) break;
    frameId = inner;
  }
  return worlds.use(budget, frameId, work);
}

async function frameWithFocus(budget: Budget, world: PageWorld, by: FrameQuery): Promise<string | undefined> {
  const objectId = await world.pick(budget, injectedCall('focus', by));
  if (objectId === undefined) return undefined;
  const { frameId } = await world.node(budget, objectId);
  world.release(objectId);
  return frameId;
}
