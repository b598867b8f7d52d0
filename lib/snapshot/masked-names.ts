import type { RawNode } from './raw';

/**
 * Names and descriptions that are put together from a masked field would say what it holds (SN6, CO8): from what is
 * inside an element, or from others that label or describe it. Such a name is made anew of what is shown, such a
 * description left out.
 */
export function withoutMasked(nodes: readonly RawNode[]): readonly RawNode[] {
  const told = tellers(nodes);
  if (told.size === 0) return nodes;
  const byId = new Map<number, number>();
  for (const index of told.keys()) {
    const id = nodes[index]?.backendNodeId;
    if (id !== undefined) byId.set(id, index);
  }
  return nodes.map((node, index) => {
    const tells = (id: number): boolean =>
      told.get(byId.get(id) ?? -1)?.some((masked) => masked !== index || id === node.backendNodeId) === true;
    const inside = node.nameFromContent && told.get(index)?.some((masked) => masked !== index) === true;
    const name = inside || node.namedBy?.some(tells) === true;
    const description = node.describedBy?.some(tells) === true;
    return name || description
      ? { ...node, name: name ? '' : node.name, description: description ? undefined : node.description }
      : node;
  });
}

/** By place: the masked fields that a node is, has in it, or is in. */
function tellers(nodes: readonly RawNode[]): Map<number, number[]> {
  const told = new Map<number, number[]>();
  if (!nodes.some(({ masked }) => masked)) return told;
  const around: number[] = [];
  nodes.forEach((node, index) => {
    around[index] = node.masked ? index : (around[node.parent] ?? -1);
    const field = around[index] ?? -1;
    if (field >= 0) note(told, index, field);
    if (node.masked) for (let at = node.parent; at >= 0; at = nodes[at]?.parent ?? -1) note(told, at, index);
  });
  return told;
}

function note(told: Map<number, number[]>, at: number, field: number): void {
  const known = told.get(at);
  if (known) known.push(field);
  else told.set(at, [field]);
}
