import type { ShownNode } from './select';
import { cap, maskedValue, quoted, TEXT_LIMIT, VALUE_LIMIT } from './text';
import { eachNode, type SnapshotNode } from './tree';

/**
 * What a search looks at: each node's line without indentation and address, `button "Add" [disabled] [ref=e3]
 * [value="…"]` (SN9).
 */
export function searchText(node: SnapshotNode): string {
  const parts = [node.role];
  if (node.name !== '') parts.push(quoted(node.name, TEXT_LIMIT));
  for (const state of node.states) parts.push(`[${state}]`);
  if (node.ref !== undefined) parts.push(`[ref=${node.ref}]`);
  if (node.value !== undefined)
    parts.push(
      node.masked
        ? `[value=${maskedValue(node.value)}]`
        : `[value=${JSON.stringify(cap(node.value, VALUE_LIMIT).text)}]`,
    );
  return parts.join(' ');
}

/** The nodes whose text contains the words, ignoring case. */
export function findText(roots: readonly SnapshotNode[], words: string): ReadonlySet<SnapshotNode> {
  const wanted = words.toLowerCase();
  return new Set([...eachNode(roots)].filter((node) => searchText(node).toLowerCase().includes(wanted)));
}

/** The matches with their ancestors. */
export function keepMatches(shown: readonly ShownNode[], found: ReadonlySet<SnapshotNode>): readonly ShownNode[] {
  const kept = new Set<ShownNode>();
  for (const one of shown) {
    if (!found.has(one.node)) continue;
    for (let at: ShownNode | undefined = one; at && !kept.has(at); at = at.parent) kept.add(at);
  }
  return shown
    .filter((one) => kept.has(one))
    .map((one) => ({ ...one, children: one.children.filter((child) => kept.has(child)) }));
}
