import { listOf, type AxDocument, type AxNodeLike } from './ax-node';
import { readAxNode } from './ax-read';
import type { DomFacts } from './facts';
import { MAX_RAW_NODES, type RawNode, type RawTree } from './raw';

interface Waiting {
  readonly document: number;
  readonly node: AxNodeLike;
  readonly parent: number;
  /** Inside an editable region, whose parts are not fields of their own. */
  readonly editable: boolean;
}

/**
 * Brings accessibility trees to the common form: the main document first, each subframe's tree at its frame element (SN5).
 * Survives whatever the trees hold: cycles, missing parents, orphans, any depth and number (quality.md, 4).
 * `facts` undefined means that the DOM pass failed.
 */
export function rawFromAx(documents: readonly AxDocument[], facts: DomFacts | undefined): RawTree {
  const forest = new Forest(documents);
  const nodes: RawNode[] = [];
  const waiting = forest.roots(0, -1);
  let next = waiting.pop();
  for (; next && nodes.length < MAX_RAW_NODES; next = waiting.pop()) {
    if (forest.visited(next.node)) continue;
    const fact = facts?.get(next.node.backendDOMNodeId ?? -1);
    const read = readAxNode(next, fact, facts !== undefined);
    if (!read) continue;
    const own = nodes.push(read.node) - 1;
    const inner = fact?.frameId === undefined ? undefined : forest.enterFrame(fact.frameId);
    if (inner !== undefined) waiting.push(...forest.roots(inner, own));
    else forest.pushChildren(waiting, next, own, read.editable);
  }
  return { documents, nodes, overflow: next !== undefined };
}

/** The documents with their nodes by id, each node and each document handed out once. */
class Forest {
  readonly #indexes: readonly ReadonlyMap<string, AxNodeLike>[];
  readonly #visited = new Set<AxNodeLike>();
  readonly #entered = new Set<number>([0]);

  constructor(private readonly documents: readonly AxDocument[]) {
    this.#indexes = documents.map(indexOf);
  }

  visited(node: AxNodeLike): boolean {
    if (this.#visited.has(node)) return true;
    this.#visited.add(node);
    return false;
  }

  /** Index of the document of a frame, the first time it is asked for. */
  enterFrame(frameId: string): number | undefined {
    const document = this.documents.findIndex((candidate) => candidate.frameId === frameId);
    if (document < 0 || this.#entered.has(document)) return undefined;
    this.#entered.add(document);
    return document;
  }

  /** Nodes without a known parent, last first, as the stack wants them. A pure cycle is entered at its first node. */
  roots(document: number, parent: number): Waiting[] {
    const index = this.#indexes[document];
    const all = this.documents[document]?.nodes.slice(0, MAX_LISTED) ?? [];
    const orphans = all.filter((node) => node.parentId === undefined || index?.has(node.parentId) !== true);
    const roots = orphans.length > 0 ? orphans : all.slice(0, 1);
    return roots.reverse().map((node) => ({ document, node, parent, editable: false }));
  }

  pushChildren(waiting: Waiting[], from: Waiting, parent: number, editable: boolean): void {
    const index = this.#indexes[from.document];
    const ids = listOf(from.node.childIds);
    for (let at = ids.length - 1; at >= 0; at -= 1) {
      const child = index?.get(ids[at] ?? '');
      if (child) waiting.push({ document: from.document, node: child, parent, editable });
    }
  }
}

/** More nodes of one answer are not looked at; line boxes and bullets among them are dropped later. */
const MAX_LISTED = MAX_RAW_NODES * 2;

function indexOf(document: AxDocument): ReadonlyMap<string, AxNodeLike> {
  const index = new Map<string, AxNodeLike>();
  for (const node of document.nodes.slice(0, MAX_LISTED)) {
    if (!index.has(node.nodeId)) index.set(node.nodeId, node);
  }
  return index;
}
