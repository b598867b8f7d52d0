import type { SnapshotNode } from './tree';

/** A node that gets a line, below the nearest one around it that gets one too. */
export interface ShownNode {
  readonly node: SnapshotNode;
  /** From 0. */
  readonly level: number;
  readonly parent: ShownNode | undefined;
  readonly children: ShownNode[];
}

/**
 * The nodes that pass the filters, in document order, down to `depth` levels of lines; children of a dropped node take
 * its place.
 */
export function selectShown(
  roots: readonly SnapshotNode[],
  depth: number,
  passes: (node: SnapshotNode) => boolean,
): readonly ShownNode[] {
  const all: ShownNode[] = [];
  const visit = (node: SnapshotNode, level: number, parent: ShownNode | undefined): void => {
    const shown = passes(node) ? { node, level, parent, children: [] } : undefined;
    if (shown) {
      all.push(shown);
      parent?.children.push(shown);
    }
    const inner = shown ? level + 1 : level;
    if (inner >= depth) return;
    for (const child of node.children) visit(child, inner, shown ?? parent);
  };
  for (const root of roots) visit(root, 0, undefined);
  return all;
}

/**
 * Nodes that are at least partly in view, with their ancestors. Text has no box of its own: it is where its element is.
 */
export function inView(roots: readonly SnapshotNode[]): ReadonlySet<SnapshotNode> {
  const seen = new Set<SnapshotNode>();
  const visit = (node: SnapshotNode, outside: boolean): boolean => {
    const away = node.role === 'text' ? outside : node.states.includes('offscreen');
    let here = !away;
    for (const child of node.children) here = visit(child, away) || here;
    if (here) seen.add(node);
    return here;
  };
  for (const root of roots) visit(root, false);
  return seen;
}
