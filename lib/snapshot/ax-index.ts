import { axText, listOf, type AxNodeLike } from './ax-node';
import { movedNode, readAxNode, type AxPlace, type AxRead } from './ax-read';
import type { DomFact } from './facts';
import { MAX_RAW_NODES, type RawNode } from './raw';

/** The position of a node in the page, as far as it affects how the node is read. */
export type AxSpot = Omit<AxPlace, 'node'>;

/** A node of an accessibility tree with its cached result, which is reused until something about the node changes. */
export class AxEntry {
  /** The latest reading that visited it. */
  seenBy: object | undefined;
  /** The node that replaced it. */
  next: AxEntry | undefined;
  /** Its children or its kind differ from the node that it replaced. */
  isReshaped = false;
  /**
   * Since it was last read, a child was added or removed, or a child that was not part of the page changed its shape.
   */
  isStirred = false;
  /** Its result is part of the page as last read. */
  isWalked = false;
  isGone = false;
  #read: AxRead | undefined;
  #wasInEditable = false;
  #fact: DomFact | undefined;
  #factsKnown: boolean | undefined;

  constructor(readonly node: AxNodeLike) {}

  /** As `readAxNode`. */
  read(spot: AxSpot, fact: DomFact | undefined, factsKnown: boolean): AxRead | undefined {
    if (this.#factsKnown === factsKnown && this.#fact === fact && this.#wasInEditable === spot.editable)
      return this.#placed(spot);
    this.#factsKnown = factsKnown;
    this.#fact = fact;
    this.#wasInEditable = spot.editable;
    this.#read = readAxNode(
      { node: this.node, document: spot.document, parent: spot.parent, editable: spot.editable },
      fact,
      factsKnown,
    );
    return this.#read;
  }

  /** The node that is in its place now. */
  get latest(): AxEntry {
    return this.next?.latest ?? this;
  }

  /** Whether its subtree may differ from the last reading. */
  get isOtherBelow(): boolean {
    for (let at = this.next; at; at = at.next) if (at.isReshaped || at.isStirred) return true;
    return this.isStirred;
  }

  /** Whether the cached result is still valid, as far as DOM facts go. */
  isReadWith(fact: DomFact | undefined): boolean {
    return this.#fact === fact;
  }

  /** Whether it was read as part of editable content. A node that replaces it is read the same way. */
  get wasInEditable(): boolean {
    return this.#wasInEditable;
  }

  /**
   * Reads it in place of `before`, whose result was `was`; undefined when that would also change how its descendants
   * are read.
   */
  readInPlaceOf(before: AxEntry, was: RawNode, fact: DomFact | undefined): RawNode | undefined {
    if (before.#fact?.frameId !== fact?.frameId) return undefined;
    const editable = before.#read?.editable;
    const read = this.read({ document: was.document, parent: was.parent, editable: before.#wasInEditable }, fact, true);
    return read?.editable === editable ? read?.node : undefined;
  }

  #placed({ parent, document }: AxSpot): AxRead | undefined {
    const read = this.#read;
    if (!read || (read.node.parent === parent && read.node.document === document)) return read;
    this.#read = { node: movedNode(read.node, parent, document), editable: read.editable };
    return this.#read;
  }
}

/** Most nodes of one answer that are read; line boxes and bullets among them are dropped later. */
const MAX_LISTED = MAX_RAW_NODES * 2;

/**
 * The nodes of one document by id (of several with one id the first), and the roots, which no other node lists as a
 * child.
 */
export class AxIndex {
  readonly #entries = new Map<string, AxEntry>();
  #roots: readonly AxEntry[];

  constructor(nodes: readonly AxNodeLike[]) {
    const all = nodes.slice(0, MAX_LISTED).map((node) => new AxEntry(node));
    for (const entry of all) if (!this.#entries.has(entry.node.nodeId)) this.#entries.set(entry.node.nodeId, entry);
    const orphans = all.filter(({ node }) => node.parentId === undefined || !this.#entries.has(node.parentId));
    // A pure cycle is entered at its first node.
    this.#roots = orphans.length > 0 ? orphans : all.slice(0, 1);
  }

  entry(id: string): AxEntry | undefined {
    return this.#entries.get(id);
  }

  get(id: string): AxNodeLike | undefined {
    return this.#entries.get(id)?.node;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** In the order of Chrome's answer. */
  roots(): readonly AxEntry[] {
    return this.#roots;
  }

  /** Replaces the node that has the same id. */
  set(node: AxNodeLike): void {
    const entry = new AxEntry(node);
    const before = this.#entries.get(node.nodeId);
    entry.isReshaped = !before || !this.#isShapedAs(before.node, node);
    if (before) before.next = entry;
    // If the replaced node was not part of the page, its parent has to be looked at instead.
    if (entry.isReshaped && before?.isWalked !== true) this.#stir(before?.node.parentId, node.parentId);
    this.#entries.set(node.nodeId, entry);
    this.#roots = this.#roots.map((root) => (root.node.nodeId === node.nodeId ? entry : root));
  }

  delete(id: string): boolean {
    this.#roots = this.#roots.filter(({ node }) => node.nodeId !== id);
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.isGone = true;
    this.#stir(entry.node.parentId);
    return this.#entries.delete(id);
  }

  #stir(...ids: readonly (string | undefined)[]): void {
    for (const id of ids) {
      const entry = this.#entries.get(id ?? '');
      if (entry) entry.isStirred = true;
    }
  }

  /** Whether both have the same parent, kind and children. Children that are not kept (line boxes) do not count. */
  #isShapedAs(one: AxNodeLike, other: AxNodeLike): boolean {
    if (one.parentId !== other.parentId || one.ignored !== other.ignored || axText(one.role) !== axText(other.role))
      return false;
    const [before, now] = [this.#childrenOf(one), this.#childrenOf(other)];
    return before.length === now.length && before.every((id, at) => id === now[at]);
  }

  #childrenOf(node: AxNodeLike): string[] {
    return listOf(node.childIds).filter((id) => this.#entries.has(id));
  }
}
