import type { Budget } from '@/lib/budget/budget';
import { kitCall, type PageWorld } from './world';
import type { Worlds } from './worlds';

/** Frames inside frames that are followed to the focus. */
const MOST_DEPTH = 20;

/** Runs something in the world of the document that has the keyboard's input: the page's, or that of a frame in another process. Source: DOM.describeNode. */
export async function inFocusedWorld<T>(budget: Budget, worlds: Worlds, mainFrameId: string, work: (world: PageWorld) => Promise<T>): Promise<T> {
  let frameId = mainFrameId;
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const inner = await worlds.use(budget, frameId, (world) => frameWithFocus(budget, world));
    if (inner === undefined) break;
    frameId = inner;
  }
  return worlds.use(budget, frameId, work);
}

async function frameWithFocus(budget: Budget, world: PageWorld): Promise<string | undefined> {
  const objectId = await world.pick(budget, kitCall('focus', 'foreignFrame'));
  if (objectId === undefined) return undefined;
  const { node } = await budget.race(world.session.send('DOM.describeNode', { objectId }));
  world.release(objectId);
  return node.frameId;
}
