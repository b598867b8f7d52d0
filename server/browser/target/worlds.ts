import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import { DocumentGone, PageWorld } from './world';

/** The isolated worlds of one tab, one per document, made when first needed. Ends with the session. */
export class Worlds {
  /** By frame. One that is being made is shared: a document has one kit, which may remember things between two calls. */
  readonly #worlds = new Map<string, Promise<PageWorld>>();

  constructor(private readonly session: CdpSession) {
    session.on('Page.frameNavigated', ({ frame }) => this.#worlds.delete(frame.id));
    session.on('Page.frameDetached', ({ frameId }) => this.#worlds.delete(frameId));
  }

  /**
   * The world of the document a frame shows. With `loaderId` it must be that document.
   * Throws REF_STALE_DOCUMENT when another one took its place, DocumentGone when it is just being replaced.
   */
  async of(budget: Budget, frameId: string, loaderId?: string): Promise<PageWorld> {
    const known = this.#worlds.get(frameId);
    const world = await budget.race(known ?? this.#open(frameId));
    if (loaderId === undefined || world.loaderId === loaderId) return world;
    const next = known ? await budget.race(this.#open(frameId)) : world;
    if (next.loaderId === loaderId) return next;
    throw new WheelhouseError('REF_STALE_DOCUMENT', 'The ref belongs to a page that is no longer shown.');
  }

  /** Forgets a frame's world after a call found it gone. */
  forget(frameId: string): void {
    this.#worlds.delete(frameId);
  }

  /** Runs something in a frame's current world; once more in its next document when the first was just being replaced. */
  async use<T>(budget: Budget, frameId: string, work: (world: PageWorld) => Promise<T>): Promise<T> {
    try {
      return await work(await this.of(budget, frameId));
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
      this.forget(frameId);
      return work(await this.of(budget, frameId));
    }
  }

  #open(frameId: string): Promise<PageWorld> {
    const opening = PageWorld.open((method, ...params) => this.session.send(method, ...params), frameId);
    this.#worlds.set(frameId, opening);
    opening.catch(() => {
      if (this.#worlds.get(frameId) === opening) this.#worlds.delete(frameId);
    });
    return opening;
  }
}
