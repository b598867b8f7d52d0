import type { Draft } from './draft';
import type { RawDocument, RawNode } from './raw';
import { MAX_LEVEL } from './tree';

/** An assembled tree with what the next assembly needs to reuse unchanged parts. */
export interface AssembledTree {
  readonly of: { readonly documents: readonly RawDocument[]; readonly nodes: readonly RawNode[] };
  /** The page itself, which is never printed. */
  readonly page: Draft;
  /** The drafts that this build made, in document order, the page first. Reused drafts are not among them. */
  readonly newDrafts: readonly Draft[];
  /** By raw node: its draft, unless the node is text. */
  readonly own: readonly (Draft | undefined)[];
  /** By raw node: 1 inside a label. */
  readonly label: Uint8Array;
  /** Index after the last descendant of a raw node; computed on first use. */
  readonly ends: Int32Array | undefined;
}

/** The parts of an earlier tree that may be reused. */
export interface Reusable extends Pick<AssembledTree, 'own' | 'label'> {
  readonly ends: Int32Array;
  /**
   * The draft to reuse below `parent` with its whole subtree; undefined when it has to be rebuilt. `label`: the new
   * tree's labels so far. Must be called in document order.
   */
  draftAt(index: number, parent: Draft, label: Uint8Array): Draft | undefined;
  /** Index after the last descendant of this node. */
  endOf(index: number): number;
}

/** Undefined when nodes were added, removed or moved. */
export function reusableOf(
  before: AssembledTree,
  documents: readonly RawDocument[],
  nodes: readonly RawNode[],
): Reusable | undefined {
  const { of: old, own, label } = before;
  if (old.nodes.length !== nodes.length || !areSame(old.documents, documents)) return undefined;
  const other = changedNodes(old.nodes, nodes);
  const ends = other && (before.ends ?? endsOf(nodes));
  if (!ends) return undefined;
  // Options of a secret list hide which one is chosen, so they are rebuilt when the list's masking may have changed.
  const veiled = new Uint8Array(nodes.length);
  const draftAt = (index: number, parent: Draft, now: Uint8Array): Draft | undefined => {
    const around = nodes[index]?.parent ?? -1;
    veiled[index] = (veiled[around] ?? 0) | Number(nodes[index]?.masked === true || old.nodes[index]?.masked === true);
    const draft = other[index] === 0 ? own[index] : undefined;
    // Nodes inside a native list depend on the role of the list.
    if (
      !draft ||
      draft.parent?.role !== parent.role ||
      draft.level !== parent.level + 1 ||
      draft.level >= MAX_LEVEL - 1
    )
      return undefined;
    return veiled[around] === 1 || label[around] !== now[around] ? undefined : draft;
  };
  return { own, label, ends, draftAt, endOf: (index) => ends[index] ?? nodes.length };
}

function areSame(before: readonly RawDocument[], now: readonly RawDocument[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ frameId, loaderId }, at) => frameId === now[at]?.frameId && loaderId === now[at]?.loaderId)
  );
}

/** 1 for each replaced node and its ancestors; undefined when one of them moved. */
function changedNodes(before: readonly RawNode[], now: readonly RawNode[]): Uint8Array | undefined {
  const changed = new Uint8Array(now.length);
  for (let index = 0; index < now.length; index += 1) {
    const [was, node] = [before[index], now[index]];
    if (was === node || !node) continue;
    if (was?.parent !== node.parent) return undefined;
    for (let at = index; at >= 0 && changed[at] === 0; at = now[at]?.parent ?? -1) changed[at] = 1;
  }
  return changed;
}

/** Undefined when the descendants of a node do not follow it directly. */
function endsOf(nodes: readonly RawNode[]): Int32Array | undefined {
  const ends = new Int32Array(nodes.length);
  const open: number[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const parent = nodes[index]?.parent ?? -1;
    while (open.length > 0 && open.at(-1) !== parent) ends[open.pop() ?? 0] = index;
    if (parent >= 0 && open.length === 0) return undefined;
    open.push(index);
  }
  for (const index of open) ends[index] = nodes.length;
  return ends;
}
