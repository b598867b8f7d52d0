import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { Aim } from '@/lib/input/first-click';
import type { SpotSeen } from './page/spots';
import type { TargetTab } from './ports';
import { kitCall } from './world';
import { inDocumentAt } from './world-at';

const seenSchema: z.ZodType<SpotSeen> = z.object({
  box: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
  view: z.string().max(200),
  words: z.string().max(2_000),
});

/**
 * What a press at a point of the tab's viewport would meet, in whatever frame; undefined where nothing is. Reads only.
 * Source: DOM.describeNode.
 */
export async function spotAt(budget: Budget, tab: TargetTab, point: Point): Promise<Omit<Aim, 'geometry'> | undefined> {
  return inDocumentAt(budget, tab, point, async (world, at) => {
    const objectId = await world.pick(budget, kitCall('spots', 'at', { value: at }));
    if (objectId === undefined) return undefined;
    try {
      const [seen, node] = await Promise.all([
        world.call(budget, seenSchema, kitCall('spots', 'read', { objectId }, { value: at })),
        world.node(budget, objectId),
      ]);
      return { ...seen, document: tab.page.document.loaderId, inner: world.loaderId, node: node.backendNodeId };
    } finally {
      world.release(objectId);
    }
  });
}
