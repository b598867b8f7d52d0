import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { describeElement } from './describe';
import { PageElement } from './element';
import { inFocusedWorld } from './focused-world';
import type { RefLookup } from './ports';
import { injectedCall } from './world';
import type { IsolatedWorlds } from './isolated-worlds';

/** The element that receives keys. */
export function focusedElement(
  budget: Budget,
  worlds: IsolatedWorlds,
  refs: RefLookup,
  mainFrameId: string,
): Promise<PageElement> {
  return inFocusedWorld(budget, worlds, mainFrameId, async (world) => {
    const objectId = await world.pick(budget, injectedCall('focus', 'element'));
    if (objectId === undefined) throw new WheelhouseError('NODE_GONE', 'The page has nothing to type into.');
    return new PageElement(world, objectId, await describeElement(budget, world, refs, objectId), 'node');
  });
}
