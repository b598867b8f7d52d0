import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

/** An element that another element covers. */
export interface CoveredNode {
  readonly frameId: string;
  readonly backendNodeId: number;
}

/**
 * The covered nodes: only interactive ones that are in view. A covered frame covers all of its content. Undefined when
 * there are none.
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

/** A key for comparing which nodes are covered. */
export function coveredKey(covered: readonly CoveredNode[]): string {
  return covered.map(keyOf).sort().join(',');
}

function keyOf({ frameId, backendNodeId }: CoveredNode): string {
  return `${frameId} ${backendNodeId}`;
}
