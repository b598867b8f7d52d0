import type { RawTree } from './raw';
import { askedRole } from './roles';
import { cap, clean, NAME_LIMIT } from './text';
import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

export interface RoleQuery {
  readonly role: string;
  readonly name?: string | undefined;
  /** Position among the matches, from 0, in document order. */
  readonly nth?: number | undefined;
  /** Only in this frame's document. */
  readonly frameId?: string | undefined;
}

/**
 * The elements with this role and name (AC2), in document order: those with exactly that name, or if there are none,
 * those whose name contains it, ignoring case. Without a name: all elements of the role.
 */
export function findByRole(tree: SnapshotTree, query: RoleQuery): SnapshotNode[] {
  const role = askedRole(query.role);
  const inFrame = (node: SnapshotNode): boolean =>
    query.frameId === undefined || tree.documents[node.document]?.frameId === query.frameId;
  const ofRole = [...eachNode(tree.roots)].filter((node) => node.role === role && inFrame(node));
  if (query.name === undefined) return ofRole;
  const wanted = cap(clean(query.name), NAME_LIMIT).text;
  const exact = ofRole.filter((node) => cap(node.name, NAME_LIMIT).text === wanted);
  if (exact.length > 0) return exact;
  const part = wanted.toLowerCase();
  return ofRole.filter((node) => node.name.toLowerCase().includes(part));
}

/**
 * The outermost lines for an element or, if it has no line of its own, for its content. Undefined when the element is
 * not in the page as it was read.
 */
export function findInside(
  tree: SnapshotTree,
  raw: RawTree,
  frameId: string,
  backendNodeId: number,
): SnapshotNode[] | undefined {
  const first = raw.nodes.findIndex(
    (node) => node.backendNodeId === backendNodeId && raw.documents[node.document]?.frameId === frameId,
  );
  if (first < 0) return undefined;
  const inside = new Set([first]);
  let last = first;
  while (inside.has(raw.nodes[last + 1]?.parent ?? -1)) {
    last += 1;
    inside.add(last);
  }
  const outermost: SnapshotNode[] = [];
  const visit = (node: SnapshotNode): void => {
    if (node.order >= first && node.order <= last) outermost.push(node);
    else node.children.forEach(visit);
  };
  tree.roots.forEach(visit);
  return outermost;
}

/**
 * The outermost lines of one subframe, without those of the page around it; undefined when the tree has no such
 * document.
 */
export function findDocument(tree: SnapshotTree, frameId: string): SnapshotNode[] | undefined {
  const document = tree.documents.findIndex((candidate) => candidate.frameId === frameId);
  if (document < 0) return undefined;
  const outermost: SnapshotNode[] = [];
  const visit = (node: SnapshotNode): void => {
    if (node.document === document) outermost.push(node);
    else node.children.forEach(visit);
  };
  tree.roots.forEach(visit);
  return outermost;
}
