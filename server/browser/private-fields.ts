import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { withBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { asksForValues } from '@/lib/state/asks-for-values';
import { joinMasks, maskOf, MOST_OF_FRAME, type Mask } from '@/lib/state/masks';
import type { TabFrames } from './frames/tab-frames';
import type { TabSnapshots } from './snapshot/tab-snapshots';
import { injectedCall, type PageWorld } from './target/world';
import type { IsolatedWorlds } from './target/isolated-worlds';

export interface FieldsTab {
  readonly frames: Pick<TabFrames, 'list' | 'of' | 'onTarget'>;
  readonly worlds: IsolatedWorlds;
  readonly snapshots: Pick<TabSnapshots, 'hide'>;
}

export interface FieldsInit {
  readonly clock: Clock;
  /** Masks of an earlier run of the server; the same documents may still exist. */
  readonly masks?: readonly Mask[] | undefined;
  /** Stores the masks for the next run. Throws when that fails. */
  masked?(masks: readonly Mask[]): Promise<void>;
}

/** The longest time to apply the masks to a document before it is read, milliseconds. */
const MARK_MS = 3_000;

/**
 * Fields that a person fills or focuses during a private hold (CO8). Their values stay masked in snapshots and extracts
 * as long as their document lives, also after a restart of the server. Compares the values of all fields before and
 * after, which covers every way to fill one.
 */
export class PrivateFields {
  #masks: readonly Mask[];

  constructor(
    private readonly tab: FieldsTab,
    private readonly init: FieldsInit,
  ) {
    this.#masks = init.masks ?? [];
    for (const mask of this.#masks) tab.snapshots.hide(mask);
    tab.frames.onTarget.on(({ targetId }) => {
      for (const mask of this.#masks) if (mask.targetId === targetId) tab.snapshots.hide(mask);
    });
    tab.worlds.prepare = (world) => this.#mark(world);
  }

  /**
   * Call when the hold begins or, with `later`, when a document loads during it. Stores the present field values inside
   * the page and records focus. Skips frames that do not answer: all their fields count as filled. Never rejects.
   */
  async begin(budget: Budget, later = false): Promise<void> {
    await Promise.allSettled(
      this.tab.frames
        .list()
        .map(({ frameId }) =>
          this.tab.worlds.use(budget, frameId, (world) =>
            world.call(budget, z.number(), injectedCall('hidden', 'begin', { value: later })),
          ),
        ),
    );
  }

  /**
   * Masks the fields that were filled or focused since `begin`. Throws when a frame does not answer or the masks cannot
   * be stored.
   */
  async keep(budget: Budget): Promise<void> {
    const found = await Promise.all(this.tab.frames.list().map(({ frameId }) => this.#touched(budget, frameId)));
    const masks = found.filter((mask) => mask !== undefined);
    if (masks.length === 0) return;
    await this.#keep(masks);
  }

  async #keep(masks: readonly Mask[]): Promise<void> {
    const living = this.#masks.filter(({ frameId, loaderId }) => this.tab.frames.of(frameId)?.loaderId === loaderId);
    this.#masks = joinMasks(living, masks);
    for (const mask of masks) this.tab.snapshots.hide(mask);
    await this.init.masked?.(this.#masks);
  }

  /** Whether `asked` contains a selector on field values while a document in view has masks. */
  guards(asked: unknown): boolean {
    return (
      this.#masks.some(({ frameId, loaderId }) => this.tab.frames.of(frameId)?.loaderId === loaderId) &&
      asksForValues(asked)
    );
  }

  /**
   * Throws BAD_REQUEST when `guards` is true. Call right before the page is asked, because masks may come during a
   * wait.
   */
  demandBlind(asked: unknown): void {
    if (!this.guards(asked)) return;
    throw new WheelhouseError(
      'BAD_REQUEST',
      'That selector reads what fields hold, and something on this page was entered privately.',
      {
        hint: 'Name the element by ref, by role and name, or by a selector without "value", "checked" and escapes.',
        details: { fields: [{ field: 'selector', problem: 'asks what fields hold' }] },
      },
    );
  }

  /** Masks a field that is secret for another reason than its attributes. */
  async remember(budget: Budget, world: PageWorld, field: number): Promise<void> {
    const mask = this.#maskOf(world, [field]);
    if (
      !mask ||
      this.#masks.some(
        (known) => known.frameId === mask.frameId && known.loaderId === mask.loaderId && known.fields.includes(field),
      )
    )
      return;
    await this.#keep([mask]);
    await marked(budget, world, field);
  }

  async #touched(budget: Budget, frameId: string): Promise<Mask | undefined> {
    try {
      return await this.tab.worlds.use(budget, frameId, async (world) =>
        this.#maskOf(world, await touchedIn(budget, world)),
      );
    } catch (error) {
      // A frame that went away or is not readable shows nothing.
      const unread = error instanceof WheelhouseError && error.code === 'UNSUPPORTED';
      if (!unread && this.tab.frames.of(frameId)) throw error;
      return undefined;
    }
  }

  #maskOf(world: PageWorld, fields: number[]): Mask | undefined {
    const { frameId, loaderId } = world;
    world.hides ||= fields.length > 0;
    const targetId = this.tab.frames.of(frameId)?.targetId;
    if (fields.length === 0 || targetId === undefined) return undefined;
    return maskOf({ frameId, loaderId, targetId, topLoaderId: this.tab.frames.of(targetId)?.loaderId ?? '' }, fields);
  }

  /** Applies the masks to a new world: extracts read the marks of their world, and a new world has none. */
  async #mark(world: PageWorld): Promise<void> {
    const mask = this.#masks.find(({ frameId, loaderId }) => frameId === world.frameId && loaderId === world.loaderId);
    if (!mask) return;
    world.hides = true;
    await withBudget({ timeoutMs: MARK_MS, clock: this.init.clock }, async (budget) => {
      if (mask.all) await world.call(budget, z.boolean(), injectedCall('hidden', 'hideAll'));
      await Promise.all(mask.fields.map((field) => marked(budget, world, field)));
    });
  }
}

async function marked(budget: Budget, world: PageWorld, field: number): Promise<void> {
  try {
    const objectId = await world.resolve(budget, field);
    await world.call(budget, z.boolean(), injectedCall('hidden', 'hide', { objectId }));
    world.release(objectId);
  } catch (error) {
    // The page removed the field.
    if (!(error instanceof WheelhouseError && error.code === 'NODE_GONE')) throw error;
  }
}

/**
 * The backend ids of filled or focused fields, at most one more than is kept per frame. Source: Runtime.getProperties,
 * DOM.describeNode.
 */
async function touchedIn(budget: Budget, world: PageWorld): Promise<number[]> {
  const list = await world.pick(budget, injectedCall('hidden', 'touched', { value: MOST_OF_FRAME + 1 }));
  if (list === undefined) return [];
  const { result } = await budget.race(
    world.session.send('Runtime.getProperties', { objectId: list, ownProperties: true }),
  );
  const ids = result.flatMap(({ value }) =>
    value?.subtype === 'node' && value.objectId !== undefined ? [value.objectId] : [],
  );
  const nodes = await Promise.all(
    ids.map((objectId) => budget.race(world.session.send('DOM.describeNode', { objectId }))),
  );
  for (const objectId of [list, ...ids]) world.release(objectId);
  return nodes.map(({ node }) => node.backendNodeId);
}
