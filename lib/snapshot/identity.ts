import { cap, NAME_LIMIT } from './text';
import type { ElementIdentity, SnapshotNode, SnapshotTree } from './tree';

/** The identity of a node, or text, in its document; undefined if it has no DOM node. */
export function identityOf(node: SnapshotNode, documents: SnapshotTree['documents']): ElementIdentity | undefined {
  const document = documents[node.document];
  if (!document || node.backendNodeId === undefined) return undefined;
  return {
    document,
    backendNodeId: node.backendNodeId,
    role: node.role,
    name: cap(node.name, NAME_LIMIT).text,
    nth: node.nth,
  };
}
