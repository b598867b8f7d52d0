import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

/** An element that something else lies over. */
export interface CoveredNode {
  readonly frameId: string;
  readonly backendNodeId: number;
}

/** The nodes that are covered: only what can be acted on is said to be, and nothing that is out of view. Undefined when there are none. */
export function coveredNodes(tree: SnapshotTree, covered: readonly CoveredNode[]): ReadonlySet<SnapshotNode> | undefined {
  if (covered.length === 0) return undefined;
  const wanted = new Set(covered.map(keyOf));
  const isMeant = (node: SnapshotNode): boolean =>
    node.interactive && node.backendNodeId !== undefined && !node.states.includes('offscreen') && wanted.has(keyOf({ frameId: tree.documents[node.document]?.frameId ?? '', backendNodeId: node.backendNodeId }));
  return new Set([...eachNode(tree.roots)].filter(isMeant));
}

/** For telling whether what is covered has changed. */
export function coveredKey(covered: readonly CoveredNode[]): string {
  return covered.map(keyOf).sort().join(',');
}

function keyOf({ frameId, backendNodeId }: CoveredNode): string {
  return `${frameId} ${backendNodeId}`;
}
