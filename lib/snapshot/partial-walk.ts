import type { IndexedDocument, WalkedTree } from './ax';
import type { AxEntry } from './ax-index';
import { listOf } from './ax-node';
import type { DomFacts } from './facts';
import type { RawNode } from './raw';

interface Waiting {
  readonly entry: AxEntry;
  readonly parent: number;
  readonly editable: boolean;
}

/**
 * Updates a walk: walks again only below nodes whose children or kind changed, as long as the number of nodes stays the
 * same.
 */
export class PartialWalk {
  readonly #nodes: RawNode[];
  readonly #entries: AxEntry[];

  constructor(
    last: WalkedTree,
    private readonly documents: readonly IndexedDocument[],
    private readonly facts: DomFacts,
  ) {
    this.#nodes = [...last.tree.nodes];
    this.#entries = last.entries;
  }

  /** Undefined when the whole page has to be walked; then the entries are of no use any more. */
  run(): RawNode[] | undefined {
    const entries = this.#entries;
    for (let at = 0; at < entries.length;) {
      const next = this.#renew(at);
      if (next === undefined) return undefined;
      at = next;
    }
    return this.#nodes;
  }

  /** The nodes to continue at; undefined when one of them affects more than its own subtree. */
  #renew(at: number): number | undefined {
    const [before, was] = [this.#entries[at], this.#nodes[at]];
    if (!before || !was || before.isGone) return undefined;
    const now = before.latest;
    if (now.isGone) return undefined;
    const fact = this.facts.get(now.node.backendDOMNodeId ?? -1);
    if (before.isOtherBelow)
      return now.node.parentId === before.node.parentId ? this.#below(at, before, was) : undefined;
    if (now === before && now.isReadWith(fact)) return at + 1;
    const node = now.readInPlaceOf(before, was, fact);
    if (!node) return undefined;
    this.#put(at, now, node);
    return at + 1;
  }

  #put(at: number, entry: AxEntry, node: RawNode): void {
    entry.isWalked = true;
    entry.isStirred = false;
    this.#entries[at] = entry;
    this.#nodes[at] = node;
  }

  /** Walks a subtree like the walk of the whole page. A node is in one place only, because each names its parent. */
  #below(first: number, before: AxEntry, was: RawNode): number | undefined {
    const end = this.#endOf(first, was.document);
    if (end === undefined) return undefined;
    const waiting: Waiting[] = [{ entry: before.latest, parent: was.parent, editable: before.wasInEditable }];
    const seen = new Set<AxEntry>();
    let at = first;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { entry, parent, editable } = next;
      if (seen.has(entry)) return undefined;
      seen.add(entry);
      const fact = this.facts.get(entry.node.backendDOMNodeId ?? -1);
      if (fact?.frameId !== undefined) return undefined;
      const read = entry.read({ document: was.document, parent, editable }, fact, true);
      if (!read) entry.isWalked = false;
      if (!read) continue;
      if (at === end || !this.#push(waiting, entry, { document: was.document, parent: at, editable: read.editable }))
        return undefined;
      this.#put(at, entry, read.node);
      at += 1;
    }
    return at === end ? end : undefined;
  }

  /** Pushes the children in reverse order. False when a child names another parent. */
  #push(
    waiting: Waiting[],
    { node }: AxEntry,
    { document, parent, editable }: Omit<Waiting, 'entry'> & { readonly document: number },
  ): boolean {
    for (const id of listOf(node.childIds).toReversed()) {
      const entry = this.documents[document]?.index.entry(id);
      if (!entry) continue;
      if (entry.node.parentId !== node.nodeId) return false;
      waiting.push({ entry, parent, editable });
    }
    return true;
  }

  /** Index after the subtree; undefined when it contains another document. */
  #endOf(first: number, document: number): number | undefined {
    let end = first + 1;
    for (let node = this.#nodes[end]; node && node.parent >= first; node = this.#nodes[end]) {
      if (node.document !== document) return undefined;
      end += 1;
    }
    return end;
  }
}
