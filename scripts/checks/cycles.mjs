/**
 * Cycles of a graph, one for each edge that closes one in a depth-first walk.
 * @param {Map<string, string[]>} graph node -> the nodes it points to
 * @returns {string[][]} each cycle as its nodes in order
 */
export function cyclesOf(graph) {
  const cycles = [];
  const done = new Set();
  const path = [];
  const visit = (node) => {
    if (done.has(node)) return;
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) {
      cycles.push(path.slice(seenAt));
      return;
    }
    path.push(node);
    for (const next of graph.get(node) || []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
