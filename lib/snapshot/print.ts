import type { SnapshotFormat } from './options';
import type { DomBox } from './dom-document';
import { keepMatches } from './text-matches';
import type { PrintedRef } from './line';
import { selectShown, type ShownNode } from './select';
import { cap, NAME_LIMIT } from './text';
import type { SnapshotNode, SnapshotTree } from './tree';

export interface TabTitle {
  readonly title: string;
  readonly current: boolean;
}

/** Facts beside the tree that printing needs. */
export interface PrintContext {
  /** Of the main document: same-origin addresses are printed without their origin. */
  readonly url: string;
  /** All tabs of the session, for the head of `webarena`. */
  readonly tabs?: readonly TabTitle[] | undefined;
  /** Refs with a higher number are new to the reader (SN2). */
  readonly newAfter?: number | undefined;
  /** The covered nodes. */
  readonly covered?: ReadonlySet<SnapshotNode> | undefined;
  /** Print only these nodes and their ancestors; absent: print everything (SN9). */
  readonly found?: ReadonlySet<SnapshotNode> | undefined;
  /**
   * Gives the ref of any node of the page, assigning one if needed; for views in which every line has one. Absent: only
   * refs that the tree has.
   */
  readonly refOf?: ((node: SnapshotNode) => string | undefined) | undefined;
  /** By ref without label. */
  readonly boxes?: ReadonlyMap<string, DomBox> | undefined;
}

export interface PrintInput {
  readonly tree: SnapshotTree;
  readonly format: SnapshotFormat;
  readonly about: PrintContext;
  readonly roots: readonly SnapshotNode[];
}

/** The nodes that get a line: those that pass the filters and, in a search, the matches with their ancestors. */
export function shownNodes(
  { roots, format, about }: PrintInput,
  passes: (node: SnapshotNode) => boolean,
): readonly ShownNode[] {
  const shown = selectShown(roots, format.depth, passes);
  return about.found ? keepMatches(shown, about.found) : shown;
}

/** The ref of a node as every view prints and lists it. */
export function printedRef(input: PrintInput, node: SnapshotNode): PrintedRef | undefined {
  return node.ref === undefined ? undefined : namedRef(input, node, node.ref);
}

/** A ref that was given to a node, with the label of its frame. */
export function namedRef({ tree, about }: PrintInput, node: SnapshotNode, own: string): PrintedRef {
  const box = about.boxes?.get(own);
  const ref = {
    ref: `${tree.documents[node.document]?.label ?? ''}${own}`,
    role: node.role,
    name: cap(node.name, NAME_LIMIT).text,
  };
  return box ? { ...ref, box } : ref;
}

/** Whether an element is newer than the reader's last look: the numbers of refs only grow. */
export function isNew({ about }: PrintInput, node: SnapshotNode): boolean {
  return about.newAfter !== undefined && node.ref !== undefined && Number(node.ref.slice(1)) > about.newAfter;
}

/** The states as printed, including those that depend on the whole page. */
export function statesOf({ about }: PrintInput, node: SnapshotNode): readonly string[] {
  return about.covered?.has(node) === true ? [...node.states, 'covered'] : node.states;
}
