import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import { DocumentGone, PageWorld } from './world';

/** The isolated worlds of one tab, one per document, made when first needed. Ends with the session. */
export class Worlds {
  readonly #worlds = new Map<string, PageWorld>();

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
    if (known && (loaderId === undefined || known.loaderId === loaderId)) return known;
    const world = await PageWorld.open(budget, (method, ...params) => this.session.send(method, ...params), frameId);
    if (loaderId !== undefined && world.loaderId !== loaderId) throw new WheelhouseError('REF_STALE_DOCUMENT', 'The ref belongs to a page that is no longer shown.');
    this.#worlds.set(frameId, world);
    return world;
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
}
