import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { TabFrames } from '../frames/tab-frames';
import { DocumentGone, PageWorld } from './world';

/** The parts of `TabFrames` that worlds need. */
export type WorldFrames = Pick<TabFrames, 'sessionsOf' | 'onDocument' | 'onGone'>;

/**
 * The isolated worlds of one tab, one per document, in whatever process the document is. Each is made when it is first
 * needed.
 */
export class IsolatedWorlds {
  /**
   * By frame id. Callers share a world that is still being made: a document has one injected script, which may keep
   * state between two calls.
   */
  readonly #worlds = new Map<string, Promise<PageWorld>>();

  /** Called with each new world before its first use. */
  prepare: (world: PageWorld) => Promise<void> = () => Promise.resolve();

  constructor(private readonly frames: WorldFrames) {
    frames.onDocument.on(({ frameId, loaderId }) => this.#replaced(frameId, loaderId));
    frames.onGone.on((frameId) => this.#worlds.delete(frameId));
  }

  /**
   * The world of the document that a frame shows. With `loaderId` it must be that document. Throws REF_STALE_DOCUMENT
   * when another document took its place, DocumentGone when the document is being replaced, TAB_UNRESPONSIVE when a
   * script blocks the frame.
   */
  async of(budget: Budget, frameId: string, loaderId?: string): Promise<PageWorld> {
    const { commands } = await this.frames.sessionsOf(budget, frameId);
    const known = this.#worlds.get(frameId);
    const world = await budget.race(known ?? this.#open(commands, frameId));
    if (loaderId === undefined || world.loaderId === loaderId) return world;
    const next = known ? await budget.race(this.#open(commands, frameId)) : world;
    if (next.loaderId === loaderId) return next;
    throw new WheelhouseError('REF_STALE_DOCUMENT', 'The ref belongs to a page that is no longer shown.');
  }

  /** Forgets a frame's world after a call failed because the world is gone. */
  forget(frameId: string): void {
    this.#worlds.delete(frameId);
  }

  /**
   * Runs `work` in a frame's current world; when that document was being replaced, runs it once more in the next one.
   */
  async use<T>(budget: Budget, frameId: string, work: (world: PageWorld) => Promise<T>): Promise<T> {
    try {
      return await work(await this.of(budget, frameId));
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
      this.forget(frameId);
      return work(await this.of(budget, frameId));
    }
  }

  #open(session: CdpSession, frameId: string): Promise<PageWorld> {
    const opening = this.#prepared(PageWorld.open(session, frameId));
    this.#worlds.set(frameId, opening);
    opening.catch(() => {
      if (this.#worlds.get(frameId) === opening) this.#worlds.delete(frameId);
    });
    return opening;
  }

  async #prepared(opening: Promise<PageWorld>): Promise<PageWorld> {
    const world = await opening;
    await this.prepare(world);
    return world;
  }

  /** Forgets the world of the old document; keeps a world that was made in the new one. */
  #replaced(frameId: string, loaderId: string): void {
    const held = this.#worlds.get(frameId);
    held?.then(
      (world) => {
        if (world.loaderId !== loaderId && this.#worlds.get(frameId) === held) this.#worlds.delete(frameId);
      },
      () => undefined,
    );
  }
}
