import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { TabFrames } from './frames/tab-frames';
import type { TabSnapshots } from './snapshot/tab-snapshots';
import { kitCall, type PageWorld } from './target/world';
import type { Worlds } from './target/worlds';

export interface FieldsTab {
  readonly frames: Pick<TabFrames, 'list' | 'of'>;
  readonly worlds: Worlds;
  readonly snapshots: Pick<TabSnapshots, 'hide'>;
}

/**
 * Fields that a person types into while nobody else may look (CO8): what they hold is masked in snapshots and extracts from then on, as long as
 * their document lives. Found by comparing what all fields held before and after, so that no way of entering is missed.
 */
export class PrivateFields {
  constructor(private readonly tab: FieldsTab) {}

  /** Remembers, inside the page, what its fields hold now. Frames that do not answer are left: all they hold counts as typed. Never rejects. */
  async begin(budget: Budget): Promise<void> {
    await Promise.allSettled(this.tab.frames.list().map(({ frameId }) => this.tab.worlds.use(budget, frameId, (world) => world.call(budget, z.number(), kitCall('hidden', 'begin')))));
  }

  /** Masks what has been typed into since. Throws while a frame does not answer. */
  async keep(budget: Budget): Promise<void> {
    await Promise.all(this.tab.frames.list().map(({ frameId }) => this.#keepIn(budget, frameId)));
  }

  async #keepIn(budget: Budget, frameId: string): Promise<void> {
    try {
      const fields = await this.tab.worlds.use(budget, frameId, (world) => typedIn(budget, world));
      if (fields.length > 0) this.tab.snapshots.hide(frameId, fields);
    } catch (error) {
      // A frame that went away, or that nobody here reads, shows nothing.
      const unread = error instanceof WheelhouseError && error.code === 'UNSUPPORTED';
      if (!unread && this.tab.frames.of(frameId)) throw error;
    }
  }
}

/** Backend ids of the fields that were typed into. Source: Runtime.getProperties, DOM.describeNode. */
async function typedIn(budget: Budget, world: PageWorld): Promise<number[]> {
  const list = await world.pick(budget, kitCall('hidden', 'typed'));
  if (list === undefined) return [];
  const { result } = await budget.race(world.session.send('Runtime.getProperties', { objectId: list, ownProperties: true }));
  const ids = result.flatMap(({ value }) => (value?.subtype === 'node' && value.objectId !== undefined ? [value.objectId] : []));
  const nodes = await Promise.all(ids.map((objectId) => budget.race(world.session.send('DOM.describeNode', { objectId }))));
  for (const objectId of [list, ...ids]) world.release(objectId);
  return nodes.map(({ node }) => node.backendNodeId);
}
