import { cap, NAME_LIMIT } from './text';
import type { ElementIdentity, SnapshotNode, SnapshotTree } from './tree';

/** The identity of a node in its document; undefined for what stands for no element. */
export function identityOf(node: SnapshotNode, documents: SnapshotTree['documents']): ElementIdentity | undefined {
  const document = documents[node.document];
  if (!document || node.backendNodeId === undefined || node.role === 'text') return undefined;
  return { document, backendNodeId: node.backendNodeId, role: node.role, name: cap(node.name, NAME_LIMIT).text, nth: node.nth };
}
