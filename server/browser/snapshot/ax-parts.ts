import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { AxAnswer, IncrementalAx } from '@/lib/snapshot/incremental-ax';
import type { CdpSession } from '@/server/cdp/session';

/** A part of a document whose accessibility is read again. */
export interface AxPart {
  /** Node id of the part's root, then those of its ancestors, the nearest first. */
  readonly path: readonly number[];
  readonly deep: boolean;
  /** Whether the root is not rendered: if accessibility does not have it, it has none of its descendants either. */
  readonly hidden: boolean;
  /** Node ids of the part's elements. */
  readonly elements: readonly number[];
}

/**
 * Largest part whose elements are read one by one. `queryAXTree` gives all nodes below one at once, but after a change
 * it waits for the next animation frame, up to 16 ms; `getPartialAXTree` never waits, and gives a node, its children
 * and its ancestors (Chrome 156).
 */
const ONE_BY_ONE = 8;

/**
 * Most time for `queryAXTree`: a page that does not paint has no next frame, and at 1 000 interactive elements a full
 * reading takes as long as this. Milliseconds.
 */
const QUERY_MS = 250;

/** `isLate`: something was read in a second round trip. */
export interface ReadProgress {
  isLate: boolean;
}

interface Source {
  readonly budget: Budget;
  readonly session: CdpSession;
  readonly tree: IncrementalAx;
  readonly trip: ReadProgress;
}

/**
 * Reads parts of an accessibility tree. For a part whose root is not in the tree (it is not rendered, or ignored),
 * reads the nearest ancestor that is. CDP: `Accessibility.getPartialAXTree`, `Accessibility.queryAXTree`. Throws what
 * ended the budget or the session, and CdpError when a node is gone. Undefined when a part could not be read.
 */
export async function readAxParts(
  budget: Budget,
  session: CdpSession,
  tree: IncrementalAx,
  parts: readonly AxPart[],
  trip: ReadProgress,
): Promise<AxAnswer[] | undefined> {
  const answers = await budget.race(Promise.all(parts.map((part) => readPart({ budget, session, tree, trip }, part))));
  const found = answers.flatMap((answer) => answer ?? []);
  return found.length === parts.length ? found : undefined;
}

async function readPart(source: Source, part: AxPart): Promise<AxAnswer | undefined> {
  const path = [...part.path, source.tree.root];
  if (!part.hidden) return readPath(source, part, path);
  const answer = await readPath(source, { ...part, deep: false }, path.slice(1));
  return answer && { ...answer, asked: part.elements.map(String) };
}

/**
 * Reads the first node of `path`. Chrome does not list the children of an ignored node, so its ancestor is read too.
 */
async function readPath(source: Source, part: AxPart, path: readonly number[]): Promise<AxAnswer | undefined> {
  const { budget, session, tree, trip } = source;
  const [own] = path;
  if (own === undefined) return undefined;
  const few = part.deep && own === part.path[0] && part.elements.length <= ONE_BY_ONE;
  const [near, ...inside] = await Promise.all([
    nearNodes(session, own),
    ...(few ? part.elements.slice(1).map((id) => nearNodes(session, id)) : []),
  ]);
  const answer: AxAnswer = { root: String(own), deep: part.deep, nodes: near, asked: [] };
  if (!tree.hasPlace(answer)) return readLate(source, part, path);
  if (!part.deep) return near[0]?.ignored === true ? readAround(source, part, path, near) : answer;
  const together = { ...answer, nodes: [...near, ...inside.flat()] };
  if (few && holdsAll(together)) return together;
  trip.isLate = true;
  const below = await belowNodes(budget, session, own);
  return below && { ...answer, nodes: [...near, ...below] };
}

/** Reads the next ancestor instead. */
function readLate(source: Source, part: AxPart, path: readonly number[]): Promise<AxAnswer | undefined> {
  source.trip.isLate = true;
  return readPath(source, part, path.slice(1));
}

async function readAround(
  source: Source,
  part: AxPart,
  path: readonly number[],
  near: AxAnswer['nodes'],
): Promise<AxAnswer | undefined> {
  const around = await readLate(source, part, path);
  return around && { ...around, nodes: [...near, ...around.nodes] };
}

/**
 * The node, its children and its ancestors. Chrome lists a requested ignored node once more as the first child of its
 * parent, whether or not it is part of the tree; this removes the duplicate, and the node itself when it is not part of
 * the tree.
 */
async function nearNodes(session: CdpSession, backendNodeId: number): Promise<AxNodeLike[]> {
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: true });
  const [own, ...others] = nodes;
  if (own?.ignored !== true) return nodes;
  const around = others.map((node) =>
    node.childIds?.[0] === own.nodeId ? { ...node, childIds: node.childIds.slice(1) } : node,
  );
  const parent = around.find((node) => node.nodeId === own.parentId);
  return own.parentId === undefined || parent?.childIds?.includes(own.nodeId) === true ? [own, ...around] : around;
}

/**
 * The nodes below one. Chrome gives ignored nodes the role they would have; these get no role here. Undefined when the
 * query took too long.
 */
async function belowNodes(
  budget: Budget,
  session: CdpSession,
  backendNodeId: number,
): Promise<AxNodeLike[] | undefined> {
  try {
    const asked = session.send('Accessibility.queryAXTree', { backendNodeId });
    const { nodes } = await budget.within(QUERY_MS, () => asked);
    return nodes.map((node) => (node.ignored ? { ...node, role: NO_ROLE } : node));
  } catch (error) {
    budget.check();
    if (!(error instanceof WheelhouseError && error.code === 'TIMEOUT')) throw error;
    return undefined;
  }
}

const NO_ROLE = { type: 'role', value: 'none' } as const;

/** Whether the answer has every node that the nodes below its root refer to. */
function holdsAll({ root, nodes }: AxAnswer): boolean {
  const found = new Map(nodes.map((node) => [node.nodeId, node]));
  const waiting = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = found.get(id);
    if (!node) return false;
    found.delete(id);
    if (node.role?.value !== 'StaticText' && node.role?.value !== 'LineBreak' && node.role?.value !== 'ListMarker')
      waiting.push(...(node.childIds ?? []));
  }
  return true;
}
