import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

/** An element that something else lies over. */
export interface CoveredNode {
  readonly frameId: string;
  readonly backendNodeId: number;
}

/**
 * The nodes that are covered: only what can be acted on is said to be, and nothing that is out of view. What covers a
 * frame covers all that is in it. Undefined when there are none.
 */
export function coveredNodes(
  tree: SnapshotTree,
  covered: readonly CoveredNode[],
): ReadonlySet<SnapshotNode> | undefined {
  if (covered.length === 0) return undefined;
  const wanted = new Set(covered.map(keyOf));
  const isCovered = (node: SnapshotNode): boolean =>
    node.backendNodeId !== undefined &&
    wanted.has(keyOf({ frameId: tree.documents[node.document]?.frameId ?? '', backendNodeId: node.backendNodeId }));
  const all = [...eachNode(tree.roots)]
    .filter(isCovered)
    .flatMap((node) => (node.role === 'iframe' ? [...eachNode(node.children)] : [node]));
  return new Set(all.filter((node) => node.interactive && !node.states.includes('offscreen')));
}

/** For telling whether what is covered has changed. */
export function coveredKey(covered: readonly CoveredNode[]): string {
  return covered.map(keyOf).sort().join(',');
}

function keyOf({ frameId, backendNodeId }: CoveredNode): string {
  return `${frameId} ${backendNodeId}`;
}
