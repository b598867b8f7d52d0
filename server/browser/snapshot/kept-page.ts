import { isDeepStrictEqual } from 'node:util';
import type { Budget } from '@/lib/budget/budget';
import type { AxDocument } from '@/lib/snapshot/ax-node';
import { domFacts } from '@/lib/snapshot/dom-facts';
import { readDomSnapshot, SNAPSHOT_STYLES } from '@/lib/snapshot/dom-snapshot';
import type { DomFact, DomFacts } from '@/lib/snapshot/facts';
import { KeptAx } from '@/lib/snapshot/kept-ax';
import { CdpError } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { readAxParts, type AxPart } from './ax-parts';
import { readChanges, type Changes } from './changes';
import { isSameCount, readCounters, type PageCounters } from './counters';
import { readFrames, sameDocuments, type FrameInfo } from './frames';
import type { KeptDocument } from './kept-document';
import type { Worlds } from './worlds';

/** What came of asking a kept page. */
export type Renewal =
  | { readonly kind: 'same'; readonly frames: readonly FrameInfo[] }
  /** `parts`: how many were read again. */
  | { readonly kind: 'changed'; readonly frames: readonly FrameInfo[]; readonly parts: number; readonly ms: number }
  /** Nothing of it may be used any more. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface KeptAccess {
  readonly session: CdpSession;
  readonly worlds: Worlds;
  readonly mask: (facts: DomFacts) => DomFacts;
}

/** A page that was read whole, renewed by what changed in it (SN1). Its memory is bounded by what may be read whole (SN10). */
export class KeptPage {
  #facts: Map<number, DomFact>;
  readonly #trees: readonly KeptAx[];

  /** The main document first. `counters`: as they were before it was read. */
  constructor(
    readonly documents: readonly KeptDocument[],
    ax: readonly AxDocument[],
    facts: DomFacts,
    private counters: PageCounters,
  ) {
    this.#facts = new Map(facts);
    this.#trees = ax.map(({ nodes }) => new KeptAx(nodes));
  }

  get facts(): DomFacts {
    return this.#facts;
  }

  /** The documents as they are now, with the labels that `label` gives. */
  axDocuments(label: (frame: FrameInfo) => string): AxDocument[] {
    return this.documents.map(({ frame }, index) => ({ frameId: frame.frameId, loaderId: frame.loaderId, label: label(frame), nodes: this.#trees[index]?.nodes ?? [] }));
  }

  /** Reads again what changed. In doubt all is lost. Throws what ended the budget or the session. */
  async renew(budget: Budget, access: KeptAccess): Promise<Renewal> {
    try {
      return await this.#renew(budget, access);
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      return { kind: 'lost', reason: 'Chrome no longer knows it' };
    }
  }

  async #renew(budget: Budget, access: KeptAccess): Promise<Renewal> {
    const startedAt = budget.elapsedMs();
    const before = this.documents.map((document) => document.frame);
    const [frames, ...first] = await budget.during('what changed', () => Promise.all([readFrames(budget, access.session), ...this.#check(budget, access, false)]));
    if (!sameDocuments(before, frames)) return lost('its frames changed');
    const counters = await budget.race(readCounters(access.session));
    // Nothing but their number tells that scripts began to listen for clicks, and that only until memory is tidied up.
    const isHeard = isSameCount(counters.listeners, this.counters.listeners) && first.every((found) => 'lost' in found || !found.tidied);
    const total = { parts: 0, marks: 0 };
    const misfit = (await this.#take(budget, access, first, total)) ?? (await this.#compare(budget, access, counters, first, total)) ?? (isHeard ? undefined : await this.#listen(budget, access, total));
    if (misfit !== undefined) return lost(misfit);
    const { parts, marks } = total;
    if (parts > 0 && !sameDocuments(before, await readFrames(budget, access.session))) return lost('its frames changed');
    return marks === 0 ? { kind: 'same', frames } : { kind: 'changed', frames, parts, ms: Math.round(budget.elapsedMs() - startedAt) };
  }

  /** Styles were computed anew, and the watch had no reason to look at them: a script edited a rule. */
  async #compare(budget: Budget, access: KeptAccess, counters: PageCounters, first: readonly Changes[], total: Total): Promise<string | undefined> {
    const isStill = isSameCount(counters.restyles, this.counters.restyles);
    this.counters = counters;
    if (isStill || first.every((found) => 'lost' in found || found.compared)) return undefined;
    return this.#take(budget, access, await Promise.all(this.#check(budget, access, true)), total);
  }

  /** Who listens is told by a DOM pass, in a third of the time of a full reading. CDP: `DOMSnapshot.captureSnapshot`. */
  async #listen(budget: Budget, access: KeptAccess, total: Total): Promise<string | undefined> {
    const answer = await budget.race(access.session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] }));
    const documents = readDomSnapshot(answer);
    for (const [index, document] of this.documents.entries()) {
      const [wanted, tree] = [document.relearn(documents), this.#trees[index]];
      if (!wanted || !tree) return 'it changed while it was looked at';
      if (wanted.length > 0 && total.parts > 0) return 'scripts began to listen where it changed';
      const misfit = await this.#readAx(budget, access, tree, wanted, total);
      if (misfit !== undefined) return misfit;
      total.parts += wanted.length;
    }
    const facts = new Map(access.mask(domFacts(documents)));
    if (!isDeepStrictEqual(facts, this.#facts)) total.marks += 1;
    this.#facts = facts;
    return undefined;
  }

  #check(budget: Budget, access: KeptAccess, restyled: boolean): Promise<Changes>[] {
    return this.documents.map(async (document) => {
      const contextId = await access.worlds.of(budget, document.frame);
      return readChanges(budget, access.session, contextId, document.checkArgs(restyled));
    });
  }

  /** Gives why it does not fit together any more. */
  async #take(budget: Budget, access: KeptAccess, changes: readonly Changes[], total: Total): Promise<string | undefined> {
    for (const [index, found] of changes.entries()) {
      const [document, tree] = [this.documents[index], this.#trees[index]];
      if (!document || !tree || 'lost' in found) return 'lost' in found ? found.lost : 'a document is missing';
      const { wanted, marks } = document.take(found, this.#facts, access.mask);
      const misfit = await this.#readAx(budget, access, tree, wanted, total);
      if (misfit !== undefined) return misfit;
      total.marks += marks + document.place(found.here, this.#isAway(document), this.#facts);
      total.parts += found.parts.length;
    }
    return undefined;
  }

  async #readAx(budget: Budget, access: KeptAccess, tree: KeptAx, wanted: readonly AxPart[], total: Total): Promise<string | undefined> {
    const answers = await readAxParts(budget, access.session, tree, wanted);
    if (!answers) return 'a part could not be read';
    const { misfit, altered } = tree.put(answers);
    total.marks += Number(altered);
    return misfit;
  }

  /** Whether the frame element of a document is out of view, with all that is in it. */
  #isAway({ frame }: KeptDocument): boolean {
    for (const fact of this.#facts.values()) if (fact.frameId === frame.frameId) return fact.offscreen;
    return false;
  }
}

interface Total {
  parts: number;
  /** What is said otherwise than before. */
  marks: number;
}

function lost(reason: string): Renewal {
  return { kind: 'lost', reason };
}
