import { isDeepStrictEqual } from 'node:util';
import type { Budget } from '@/lib/budget/budget';
import type { AxDocument } from '@/lib/snapshot/ax-node';
import type { CoveredNode } from '@/lib/snapshot/covered';
import { domFacts } from '@/lib/snapshot/dom-facts';
import { readDomSnapshot, SNAPSHOT_STYLES } from '@/lib/snapshot/dom-snapshot';
import type { DomFact, DomFacts } from '@/lib/snapshot/facts';
import { IncrementalAx } from '@/lib/snapshot/incremental-ax';
import { IncrementalRaw } from '@/lib/snapshot/incremental-raw';
import type { RawTree } from '@/lib/snapshot/raw';
import { CdpError } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { readAxParts, type AxPart } from './ax-parts';
import { readChanges, type Changes } from './changes';
import { isSameCount, readCounters, type PageCounters } from './counters';
import { readFrames, sameDocuments, type FrameInfo } from './frames';
import type { IncrementalDocument } from './incremental-document';
import type { PressListeners } from './press-listeners';
import { coverLimits } from './read-covered';
import type { ReaderWorlds } from './reader-worlds';

/**
 * The result of renewing a kept page. `covered`: the covered elements; undefined when they have to be read separately.
 */
export type IncrementalResult =
  | {
      readonly kind: 'same';
      readonly frames: readonly FrameInfo[];
      readonly covered: readonly CoveredNode[] | undefined;
    }
  /** `parts`: the number of parts that were read again. */
  | {
      readonly kind: 'changed';
      readonly frames: readonly FrameInfo[];
      readonly covered: readonly CoveredNode[] | undefined;
      readonly parts: number;
      readonly ms: number;
    }
  /** Nothing of the kept page may be used any more. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface IncrementalAccess {
  readonly session: CdpSession;
  readonly worlds: ReaderWorlds;
  readonly mask: (facts: DomFacts) => DomFacts;
}

/** State noted before a page was read, which tells later whether the page is still the same. */
export interface PageMarks {
  readonly counters: PageCounters;
  /** Present where the listening elements can be read without a DOM pass. */
  readonly listeners: PressListeners | undefined;
}

/**
 * A page that was read whole, and is renewed by reading only what changed in it (SN1). Its memory is bounded by what
 * may be read whole (SN10).
 */
export class IncrementalPage {
  #facts: Map<number, DomFact>;
  readonly #trees: readonly IncrementalAx[];
  readonly #raw = new IncrementalRaw();
  /** Per document: custom elements that were not asked again. */
  readonly #unasked: number[] = [];

  #counters: PageCounters;
  readonly #listeners: PressListeners | undefined;

  /** `documents`: the main one first. */
  constructor(
    readonly documents: readonly IncrementalDocument[],
    ax: readonly AxDocument[],
    facts: DomFacts,
    noted: PageMarks,
    /** The size of the page. */
    private readonly nodes: number,
  ) {
    this.#counters = noted.counters;
    this.#listeners = noted.listeners;
    this.#facts = new Map(facts);
    this.#trees = ax.map(({ nodes }) => new IncrementalAx(nodes));
  }

  /** Number of custom elements whose `ElementInternals` were not read again. */
  get unasked(): number {
    return this.#unasked.reduce((sum, count) => sum + count, 0);
  }

  /** The page as it is now. `label` gives each document its label. */
  raw(label: (frame: FrameInfo) => string): RawTree {
    const indexed = this.documents.flatMap(({ frame }, at) => {
      const index = this.#trees[at]?.index;
      return index ? [{ frameId: frame.frameId, loaderId: frame.loaderId, label: label(frame), index }] : [];
    });
    return this.#raw.of(indexed, this.#facts);
  }

  /** Reads again what changed. In doubt the whole page is lost. Throws what ended the budget or the session. */
  async renew(budget: Budget, access: IncrementalAccess): Promise<IncrementalResult> {
    try {
      return await this.#renew(budget, access);
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      return { kind: 'lost', reason: 'Chrome no longer knows it' };
    }
  }

  async #renew(budget: Budget, access: IncrementalAccess): Promise<IncrementalResult> {
    const startedAt = budget.elapsedMs();
    const before = this.documents.map((document) => document.frame);
    const contexts = await Promise.all(before.map((frame) => access.worlds.of(budget, frame)));
    const checked = contexts.map((contextId, index) => ({ contextId, index }));
    const [frames, first] = await budget.during('what changed', () =>
      Promise.all([readFrames(budget, access.session), this.#check(budget, access, checked, false)]),
    );
    if (!sameDocuments(before, frames)) return lost('its frames changed');
    const total = { parts: 0, marks: 0, covered: new Map<number, readonly CoveredNode[] | undefined>(), isLate: false };
    // The counters are requested after the check has been answered: Chrome answers `Performance.getMetrics` out of
    // turn, and the style recalculations that the check itself causes have to be in them.
    const [misfit, counters, after] = await Promise.all([
      this.#take(budget, access, first, total),
      budget.race(readCounters(access.session)),
      first.some(hasParts) ? readFrames(budget, access.session) : frames,
    ]);
    // That scripts began to listen for clicks shows only in the number of listeners, and only until a garbage
    // collection.
    const isCounted =
      isSameCount(counters.listeners, this.#counters.listeners) &&
      first.every(({ changes }) => 'lost' in changes || !changes.tidied);
    const more =
      misfit ??
      (await this.#compare(budget, access, counters, { first, contexts, total })) ??
      (isCounted || (await this.#isHeard(budget, first)) ? undefined : await this.#listen(budget, access, total));
    if (more !== undefined) return lost(more);
    if (!sameDocuments(before, total.isLate ? await readFrames(budget, access.session) : after))
      return lost('its frames changed');
    const covered = this.#coveredOf(total);
    return total.marks === 0
      ? { kind: 'same', frames, covered }
      : { kind: 'changed', frames, covered, parts: total.parts, ms: Math.round(budget.elapsedMs() - startedAt) };
  }

  /**
   * Runs the check again for documents whose watch had no reason to compare styles, when styles were recalculated: a
   * script edited a rule.
   */
  async #compare(
    budget: Budget,
    access: IncrementalAccess,
    counters: PageCounters,
    { first, contexts, total }: { first: readonly Found[]; contexts: readonly number[]; total: Total },
  ): Promise<string | undefined> {
    const isStill = isSameCount(counters.restyles, this.#counters.restyles);
    this.#counters = counters;
    const unknown = contexts
      .map((contextId, index) => ({ contextId, index }))
      .filter(({ index }) => !isCompared(first[index]));
    if (isStill || unknown.length === 0) return undefined;
    total.isLate = true;
    return this.#take(budget, access, await this.#check(budget, access, unknown, true), total);
  }

  /**
   * Whether the same elements listen as before; false also where that is unknown. Call it after the listeners were
   * counted.
   */
  async #isHeard(budget: Budget, found: readonly Found[]): Promise<boolean> {
    if (!this.#listeners || found.some(({ changes }) => 'lost' in changes || changes.rooted)) return false;
    return budget.race(this.#listeners.areSame());
  }

  /**
   * Reads by a DOM pass which elements listen, in a third of the time of a full reading. CDP:
   * `DOMSnapshot.captureSnapshot`.
   */
  async #listen(budget: Budget, access: IncrementalAccess, total: Total): Promise<string | undefined> {
    const answer = await budget.race(
      access.session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] }),
    );
    const documents = readDomSnapshot(answer);
    total.isLate = true;
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

  /** Sends all checks before it first yields. */
  #check(
    budget: Budget,
    access: IncrementalAccess,
    documents: readonly Checked[],
    restyled: boolean,
  ): Promise<Found[]> {
    const asked = documents.map(async ({ contextId, index }): Promise<Found> => {
      const args = this.documents[index]?.checkArgs(restyled, coverLimits(index, this.nodes)) ?? {
        maxRows: 0,
        restyled,
      };
      return { index, changes: await readChanges(budget, access.session, contextId, args) };
    });
    return Promise.all(asked);
  }

  /** Applies what the documents reported. Returns the reason when the parts no longer fit together. */
  async #take(
    budget: Budget,
    access: IncrementalAccess,
    found: readonly Found[],
    total: Total,
  ): Promise<string | undefined> {
    for (const { index, changes } of found) {
      const [document, tree] = [this.documents[index], this.#trees[index]];
      if ('outdated' in changes && changes.outdated === true) dropOutdated(access.session);
      if (!document || !tree || 'lost' in changes) return 'lost' in changes ? changes.lost : 'a document is missing';
      const { wanted, marks } = document.take(changes, this.#facts, access.mask);
      const misfit = await this.#readAx(budget, access, tree, wanted, total);
      if (misfit !== undefined) return misfit;
      total.marks += marks + document.place(changes.here, this.#isAway(document), this.#facts);
      total.parts += changes.parts.length;
      total.covered.set(index, document.coveredIn(changes));
      this.#unasked[index] = changes.unasked;
    }
    return undefined;
  }

  async #readAx(
    budget: Budget,
    access: IncrementalAccess,
    tree: IncrementalAx,
    wanted: readonly AxPart[],
    total: Total,
  ): Promise<string | undefined> {
    if (wanted.length === 0) return undefined;
    const trip = { isLate: total.parts > 0 };
    const answers = await readAxParts(budget, access.session, tree, wanted, trip);
    total.isLate ||= trip.isLate;
    if (!answers) return 'a part could not be read';
    const { misfit, altered } = tree.put(answers);
    total.marks += Number(altered);
    return misfit;
  }

  /** The covered elements of all documents that look for them; undefined when one of these did not report any. */
  #coveredOf({ covered }: Total): readonly CoveredNode[] | undefined {
    const all: CoveredNode[] = [];
    for (const index of this.documents.keys()) {
      if (coverLimits(index, this.nodes) === undefined) continue;
      const said = covered.get(index);
      if (!said) return undefined;
      all.push(...said);
    }
    return all;
  }

  /** Whether the frame element of a document, and so the whole document, is out of view. */
  #isAway({ frame }: IncrementalDocument): boolean {
    for (const fact of this.#facts.values()) if (fact.frameId === frame.frameId) return fact.offscreen;
    return false;
  }
}

/** A document to check. */
interface Checked {
  readonly index: number;
  readonly contextId: number;
}
interface Found {
  readonly index: number;
  readonly changes: Changes;
}

interface Total {
  parts: number;
  /** Number of facts that changed. */
  marks: number;
  /** By index of the document. */
  readonly covered: Map<number, readonly CoveredNode[] | undefined>;
  /** Whether something was read after the second look at the frames. */
  isLate: boolean;
}

/**
 * Makes Chrome compute its accessibility tree anew: when the attributes of a label change, Chrome keeps outdated texts
 * for it until the next layout, in a full tree too (Chrome 156). Sent ahead of the reading; no call waits for it. CDP:
 * `Accessibility.enable`, `Accessibility.disable`.
 */
function dropOutdated(session: CdpSession): void {
  // Disabling has an effect only after enabling.
  void session.sendMayFail('Accessibility.enable');
  void session.sendMayFail('Accessibility.disable');
}

function hasParts({ changes }: Found): boolean {
  return 'parts' in changes && changes.parts.length > 0;
}

/** Whether the styles of the whole document were compared. A lost document counts, since it is read whole. */
function isCompared(found: Found | undefined): boolean {
  return found !== undefined && ('lost' in found.changes || found.changes.compared);
}

function lost(reason: string): IncrementalResult {
  return { kind: 'lost', reason };
}
