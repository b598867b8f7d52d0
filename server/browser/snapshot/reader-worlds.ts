import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';

/**
 * Our own JavaScript worlds, one per document: they see the page's DOM, and the page can neither see nor change what
 * runs in them. CDP: `Page.createIsolatedWorld`.
 */
export class ReaderWorlds {
  /** By loader id: context ids start again in another process, so they do not identify a document. */
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

  /** Forgets all worlds, after Chrome reported one as unknown. */
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
