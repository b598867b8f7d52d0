import { rawFromIndexed, type IndexedDocument, type WalkedTree } from './ax';
import type { DomFacts } from './facts';
import type { RawNode, RawTree } from './raw';

interface Last extends WalkedTree {
  readonly documents: readonly IndexedDocument[];
  readonly shapes: readonly number[];
}

/** The common form of documents that are kept. Where only what nodes say has changed, not which there are, the rest is not walked again: that takes a tenth of the time. */
export class KeptRaw {
  #last: Last | undefined;

  of(documents: readonly IndexedDocument[], facts: DomFacts): RawTree {
    const nodes = this.#last && hasShape(this.#last, documents) ? renewed(this.#last, facts) : undefined;
    const walked = nodes && this.#last ? { entries: this.#last.entries, tree: { ...this.#last.tree, nodes } } : rawFromIndexed(documents, facts);
    this.#last = { ...walked, documents, shapes: documents.map(({ index }) => index.shape) };
    return walked.tree;
  }
}

function hasShape({ documents, shapes, tree }: Last, now: readonly IndexedDocument[]): boolean {
  const isSame = (document: IndexedDocument, at: number): boolean => {
    const before = documents[at];
    return before?.index === document.index && before.label === document.label && before.loaderId === document.loaderId && shapes[at] === document.index.shape;
  };
  return !tree.overflow && documents.length === now.length && now.every(isSame);
}

/** Undefined when one of them is such that what is below it has to be looked at again; then the entries are of no use any more. */
function renewed({ entries, tree }: Last, facts: DomFacts): RawNode[] | undefined {
  const nodes = [...tree.nodes];
  for (let at = 0; at < entries.length; at += 1) {
    const [before, was] = [entries[at], nodes[at]];
    if (!before || !was) return undefined;
    const now = before.latest;
    const fact = facts.get(now.node.backendDOMNodeId ?? -1);
    if (now === before && now.isReadWith(fact)) continue;
    const node = now.readInPlaceOf(before, was, fact);
    if (!node) return undefined;
    nodes[at] = node;
    entries[at] = now;
  }
  return nodes;
}
