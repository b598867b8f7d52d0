import type { Budget } from '@/lib/budget/budget';
import type { AxDocument } from '@/lib/snapshot/ax-node';
import type { DomFact, DomFacts } from '@/lib/snapshot/facts';
import { CdpError } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { readFrames, sameDocuments, type FrameInfo } from './frames';
import type { KeptDocument } from './kept-document';
import type { Worlds } from './worlds';

/** What came of asking a kept page. */
export type Renewal =
  | { readonly kind: 'same'; readonly frames: readonly FrameInfo[] }
  /** Other parts of it are in view. */
  | { readonly kind: 'moved'; readonly frames: readonly FrameInfo[]; readonly ms: number }
  /** Nothing of it may be used any more. */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * A page that was read whole, used again as long as nothing in it has changed (SN1). Each document's watch in our own world says so in one
 * round trip, also of what no mutation tells: fields, focus, styles, listeners. Its memory is bounded by what may be read whole (SN10).
 */
export class KeptPage {
  readonly #facts: Map<number, DomFact>;

  /** The main document first. `listeners`: how many event listeners its process had. */
  constructor(
    readonly documents: readonly KeptDocument[],
    readonly ax: readonly AxDocument[],
    facts: DomFacts,
    private readonly listeners: number,
  ) {
    this.#facts = new Map(facts);
  }

  get facts(): DomFacts {
    return this.#facts;
  }

  /** Looks whether it is still as it was read. In doubt all is lost. Throws what ended the budget or the session. */
  async renew(budget: Budget, session: CdpSession, worlds: Worlds): Promise<Renewal> {
    try {
      return await this.#renew(budget, session, worlds);
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      return { kind: 'lost', reason: 'Chrome no longer knows it' };
    }
  }

  async #renew(budget: Budget, session: CdpSession, worlds: Worlds): Promise<Renewal> {
    const startedAt = budget.elapsedMs();
    const checks = this.documents.map(async (document) => document.check(budget, session, await worlds.of(budget, document.frame)));
    const [frames, counters, ...checked] = await budget.during('whether the page changed', () =>
      Promise.all([readFrames(budget, session), session.sendMayFail('Memory.getDOMCounters'), ...checks]),
    );
    const before = this.documents.map(({ frame }) => frame);
    if (!sameDocuments(before, frames)) return { kind: 'lost', reason: 'its frames changed' };
    if (counters?.jsEventListeners !== this.listeners) return { kind: 'lost', reason: 'scripts began or ceased to listen' };
    let moved = false;
    for (const [index, document] of this.documents.entries()) {
      const found = checked[index];
      if (!found || 'lost' in found) return { kind: 'lost', reason: found?.lost ?? 'a document is missing' };
      if (document.place(found.here, this.#isAway(document), this.#facts)) moved = true;
    }
    return moved ? { kind: 'moved', frames, ms: Math.round(budget.elapsedMs() - startedAt) } : { kind: 'same', frames };
  }

  /** Whether the frame element of a document is out of view, with all that is in it. */
  #isAway({ frame }: KeptDocument): boolean {
    for (const fact of this.#facts.values()) if (fact.frameId === frame.frameId) return fact.offscreen;
    return false;
  }
}
