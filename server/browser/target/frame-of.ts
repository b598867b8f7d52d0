import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { noFrame, whichFrame, type NamedFrame } from '../frames/which-frame';
import { elementWaitMs } from './element-wait';
import type { TargetTab } from './ports';
import { injectedCall } from './world';

const found = z.union([z.object({ count: z.number() }), z.object({ error: z.string() })]);

/**
 * Returns the id of the subframe that a target names: by its label in snapshots (`f1`), by a part of its address, or by
 * a selector of its frame element in the page. Waits for it as long as for an element. Throws NODE_GONE when there is
 * none, AMBIGUOUS when several match; both errors list the subframes of the tab.
 */
export async function frameOf(budget: Budget, tab: TargetTab, wanted: string): Promise<string> {
  const patience = budget.child(elementWaitMs(budget));
  try {
    for (;;) {
      const frameId = await lookFor(budget, tab, wanted);
      if (frameId !== undefined) return frameId;
      if (patience.over) throw noFrame(subframes(tab), wanted);
      await nextChange(patience, tab);
    }
  } finally {
    patience.dispose();
  }
}

async function lookFor(budget: Budget, tab: TargetTab, wanted: string): Promise<string | undefined> {
  return whichFrame(subframes(tab), wanted) ?? bySelector(budget, tab, wanted);
}

/** Source: DOM.describeNode, which gives the id of the frame that an element holds. */
async function bySelector(budget: Budget, tab: TargetTab, selector: string): Promise<string | undefined> {
  return tab.worlds.use(budget, tab.page.document.frameId, async (world) => {
    const answer = await world.call(budget, found, injectedCall('search', 'find', { value: selector }, { value: 0 }));
    const objectId =
      'count' in answer && answer.count === 1
        ? await world.pick(budget, injectedCall('search', 'take', { value: 0 }))
        : undefined;
    if (objectId === undefined) return undefined;
    const { frameId } = await world.node(budget, objectId);
    world.release(objectId);
    return frameId;
  });
}

/** Waits until a frame comes or goes, or the patience is over. */
async function nextChange(patience: Budget, tab: TargetTab): Promise<void> {
  const changed = tab.frames.onChange.next(() => true);
  try {
    await patience.race(changed.promise);
  } catch (error) {
    if (patience.reason().code !== 'TIMEOUT') throw error;
  } finally {
    changed.stop();
  }
}

function subframes({ frames, snapshots }: TargetTab): NamedFrame[] {
  return frames
    .list()
    .slice(1)
    .map(({ frameId, url }) => ({ frameId, url, label: snapshots.labelOf(frameId) }));
}
