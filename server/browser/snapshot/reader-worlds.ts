import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';

/**
 * Our own JavaScript worlds, one a document: they see the page's DOM, and the page cannot see or change what runs in
 * them. CDP: `Page.createIsolatedWorld`.
 */
export class ReaderWorlds {
  /** By loader id; numbers start again in another process, so a number alone says nothing. */
  readonly #contexts = new Map<string, Promise<number>>();

  constructor(private readonly session: CdpSession) {}

  /** The execution context of our world in this document. */
  async of(budget: Budget, frame: FrameInfo): Promise<number> {
    const known = this.#contexts.get(frame.loaderId);
    if (known) return budget.race(known);
    const made = this.#create(frame);
    this.#contexts.set(frame.loaderId, made);
    made.catch(() => this.#contexts.delete(frame.loaderId));
    return budget.race(made);
  }

  /** Forgets the worlds of documents that are gone. */
  keep(frames: readonly FrameInfo[]): void {
    const live = new Set(frames.map((frame) => frame.loaderId));
    for (const loaderId of this.#contexts.keys()) {
      if (!live.has(loaderId)) this.#contexts.delete(loaderId);
    }
  }

  /** Forgets all, after Chrome said that it does not know one of them. */
  forgetAll(): void {
    this.#contexts.clear();
  }

  async #create(frame: FrameInfo): Promise<number> {
    const { executionContextId } = await this.session.send('Page.createIsolatedWorld', {
      frameId: frame.frameId,
      worldName: 'wheelhouse',
    });
    return executionContextId;
  }
}
