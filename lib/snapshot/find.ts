import { askedRole } from './roles';
import { cap, clean, NAME_LIMIT } from './text';
import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

export interface RoleQuery {
  readonly role: string;
  readonly name?: string | undefined;
  /** Position among the matches, from 0, in document order. */
  readonly nth?: number | undefined;
}

/**
 * The elements a role and name mean (AC2), in document order: those with exactly that name; when there is none, those whose name has it
 * as a part, ignoring case. Without a name every element of the role.
 */
export function findByRole(tree: SnapshotTree, query: RoleQuery): SnapshotNode[] {
  const role = askedRole(query.role);
  const ofRole = [...eachNode(tree.roots)].filter((node) => node.role === role && role !== 'text');
  if (query.name === undefined) return ofRole;
  const wanted = cap(clean(query.name), NAME_LIMIT).text;
  const exact = ofRole.filter((node) => cap(node.name, NAME_LIMIT).text === wanted);
  if (exact.length > 0) return exact;
  const part = wanted.toLowerCase();
  return ofRole.filter((node) => node.name.toLowerCase().includes(part));
}

/** The outermost nodes that stand for an element or lie in it, given by backend node id; for a subtree that may have no line of its own. */
export function findElement(tree: SnapshotTree, frameId: string, backendNodeId: number): SnapshotNode | undefined {
  for (const node of eachNode(tree.roots)) {
    if (node.backendNodeId === backendNodeId && tree.documents[node.document]?.frameId === frameId) return node;
  }
  return undefined;
}
