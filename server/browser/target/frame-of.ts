import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { FrameView } from '../frames/tab-frames';
import { patienceMs } from './patience';
import type { TargetTab } from './ports';
import { kitCall } from './world';

const MOST_NAMED = 10;
const found = z.union([z.object({ count: z.number() }), z.object({ error: z.string() })]);

/**
 * The id of the subframe that a target names: by its label in snapshots (`f1`), by a part of its address, or by a selector of its frame
 * element in the page. Waited for like an element. Throws NODE_GONE when there is none, AMBIGUOUS when several fit; both name those there are.
 */
export async function frameOf(budget: Budget, tab: TargetTab, wanted: string): Promise<string> {
  const patience = budget.child(patienceMs(budget));
  try {
    for (;;) {
      const frameId = await lookFor(budget, tab, wanted);
      if (frameId !== undefined) return frameId;
      if (patience.over) throw none(tab, wanted);
      await nextChange(patience, tab);
    }
  } finally {
    patience.dispose();
  }
}

async function lookFor(budget: Budget, tab: TargetTab, wanted: string): Promise<string | undefined> {
  const inside = subframes(tab);
  const labelled = tab.snapshots.frameOf(wanted);
  if (labelled !== undefined && inside.some(({ frameId }) => frameId === labelled)) return labelled;
  const [first, ...others] = inside.filter(({ url }) => url.includes(wanted));
  if (others.length > 0) throw new WheelhouseError('AMBIGUOUS', `${others.length + 1} frames have ${shown(wanted)} in their address.`, { details: { frames: named(inside) } });
  return first?.frameId ?? bySelector(budget, tab, wanted);
}

/** Source: DOM.describeNode, which tells what frame an element holds. */
async function bySelector(budget: Budget, tab: TargetTab, selector: string): Promise<string | undefined> {
  return tab.worlds.use(budget, tab.page.document.frameId, async (world) => {
    const answer = await world.call(budget, found, kitCall('search', 'find', { value: selector }, { value: 0 }));
    const objectId = 'count' in answer && answer.count === 1 ? await world.pick(budget, kitCall('search', 'take', { value: 0 })) : undefined;
    if (objectId === undefined) return undefined;
    const { node } = await budget.race(world.session.send('DOM.describeNode', { objectId }));
    world.release(objectId);
    return node.frameId;
  });
}

/** A frame came or went, or the patience is over. */
async function nextChange(patience: Budget, tab: TargetTab): Promise<void> {
  let off = (): void => undefined;
  const changed = new Promise<void>((resolve) => {
    off = tab.frames.onChange.on(() => resolve());
  });
  try {
    await patience.race(changed);
  } catch (error) {
    if (patience.reason().code !== 'TIMEOUT') throw error;
  } finally {
    off();
  }
}

function none(tab: TargetTab, wanted: string): WheelhouseError {
  return new WheelhouseError('NODE_GONE', `No frame is ${shown(wanted)}.`, {
    hint: 'Name it by its label in the snapshot, by a part of its address, or by a selector of its frame element.',
    details: { frames: named(subframes(tab)) },
  });
}

function subframes(tab: TargetTab): FrameView[] {
  return tab.frames.list().slice(1);
}

function named(frames: readonly FrameView[]): object[] {
  return frames.slice(0, MOST_NAMED).map(({ url }) => ({ url: url.slice(0, 200) }));
}

function shown(wanted: string): string {
  return `"${wanted.slice(0, 100)}"`;
}
