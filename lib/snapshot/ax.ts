import { AxIndex, type AxEntry, type AxSpot } from './ax-index';
import { listOf, type AxDocument } from './ax-node';
import type { DomFacts } from './facts';
import { MAX_RAW_NODES, type RawDocument, type RawNode, type RawTree } from './raw';

interface Waiting extends AxSpot {
  readonly entry: AxEntry;
}

/** A document whose nodes are known by id already. */
export interface IndexedDocument extends RawDocument {
  readonly index: AxIndex;
}

/**
 * Converts accessibility trees to the common form: the main document first, each subframe's tree at its frame element
 * (SN5). Survives any input: cycles, missing parents, orphans, any depth and number. `facts` undefined
 * means that the DOM pass failed.
 */
export function rawFromAx(documents: readonly AxDocument[], facts: DomFacts | undefined): RawTree {
  return rawFromIndexed(
    documents.map(({ frameId, loaderId, label, nodes }) => ({ frameId, loaderId, label, index: new AxIndex(nodes) })),
    facts,
  ).tree;
}

/** A tree with the entry that each of its nodes was made from. */
export interface WalkedTree {
  readonly tree: RawTree;
  readonly entries: AxEntry[];
  /** Every node was found once, below the parent that it names. */
  readonly isRegular: boolean;
}

/** The same for trees that are indexed by node id. Reuses the result of every node that has not changed. */
export function rawFromIndexed(documents: readonly IndexedDocument[], facts: DomFacts | undefined): WalkedTree {
  const forest = new AxDocuments(documents);
  const nodes: RawNode[] = [];
  const entries: AxEntry[] = [];
  const waiting: Waiting[] = [];
  forest.pushRoots(waiting, 0, -1);
  let next = waiting.pop();
  for (; next && nodes.length < MAX_RAW_NODES; next = waiting.pop()) {
    const { entry } = next;
    if (entry.seenBy === forest) {
      forest.isRegular = false;
      continue;
    }
    entry.seenBy = forest;
    entry.isStirred = false;
    entry.isWalked = false;
    const fact = facts?.get(entry.node.backendDOMNodeId ?? -1);
    const read = entry.read(next, fact, facts !== undefined);
    if (!read) continue;
    const own = nodes.push(read.node) - 1;
    entries.push(entry);
    entry.isWalked = true;
    const inner = fact?.frameId === undefined ? undefined : forest.enterFrame(fact.frameId);
    if (inner !== undefined) forest.pushRoots(waiting, inner, own);
    else forest.pushChildren(waiting, next, own, read.editable);
  }
  return {
    tree: {
      documents: documents.map(({ frameId, loaderId, label }) => ({ frameId, loaderId, label })),
      nodes,
      overflow: next !== undefined,
    },
    entries,
    isRegular: forest.isRegular,
  };
}

/** The documents with their nodes by id. Returns each node and each document once only. */
class AxDocuments {
  isRegular = true;
  readonly #entered = new Set<number>([0]);

  constructor(private readonly documents: readonly IndexedDocument[]) {}

  /** Index of the document of a frame, the first time it is asked for. */
  enterFrame(frameId: string): number | undefined {
    const document = this.documents.findIndex((candidate) => candidate.frameId === frameId);
    if (document < 0 || this.#entered.has(document)) return undefined;
    this.#entered.add(document);
    return document;
  }

  /** Pushes them in reverse order, because `waiting` is a stack. */
  pushRoots(waiting: Waiting[], document: number, parent: number): void {
    const roots = this.documents[document]?.index.roots() ?? [];
    for (const entry of roots.toReversed()) waiting.push({ document, entry, parent, editable: false });
  }

  pushChildren(waiting: Waiting[], from: Waiting, parent: number, editable: boolean): void {
    const { document } = from;
    const index = this.documents[document]?.index;
    const ids = listOf(from.entry.node.childIds);
    for (let at = ids.length - 1; at >= 0; at -= 1) {
      const entry = index?.entry(ids[at] ?? '');
      if (!entry) continue;
      if (entry.node.parentId !== from.entry.node.nodeId) this.isRegular = false;
      waiting.push({ document, entry, parent, editable });
    }
  }
}
