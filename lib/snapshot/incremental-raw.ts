import { rawFromIndexed, type IndexedDocument, type WalkedTree } from './ax';
import type { DomFacts } from './facts';
import type { RawTree } from './raw';
import { PartialWalk } from './partial-walk';

interface Last extends WalkedTree {
  readonly documents: readonly IndexedDocument[];
}

/**
 * The common form of kept documents. Walks only the changed parts of the page again, which takes a tenth of the time.
 */
export class IncrementalRaw {
  #last: Last | undefined;

  of(documents: readonly IndexedDocument[], facts: DomFacts): RawTree {
    const last = this.#last;
    this.#last = undefined;
    const nodes = last && isOf(last, documents) ? new PartialWalk(last, documents, facts).run() : undefined;
    const walked = nodes && last ? { ...last, tree: { ...last.tree, nodes } } : rawFromIndexed(documents, facts);
    this.#last = { ...walked, documents };
    return walked.tree;
  }
}

function isOf({ documents, tree, isRegular }: Last, now: readonly IndexedDocument[]): boolean {
  const isSame = (document: IndexedDocument, at: number): boolean => {
    const before = documents[at];
    return before?.index === document.index && before.label === document.label && before.loaderId === document.loaderId;
  };
  return isRegular && !tree.overflow && documents.length === now.length && now.every(isSame);
}
