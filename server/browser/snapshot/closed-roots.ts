import type { CdpSession } from '@/server/cdp/session';
import { walk, type InViewWalk, type DescribedNode } from './in-view-walk';

/** Most closed shadow roots of one document that are read, nested ones included, and their greatest depth. */
const LIMITS = { roots: 60, depth: 6 } as const;

export interface ReadScope {
  /** Our own world in the document. */
  readonly contextId: number;
  readonly objectGroup: string;
  /** The number of nodes, and the milliseconds, that may still be spent. */
  left(): { readonly nodes: number; readonly ms: number };
  wrote(nodes: number): void;
}

/** A document with the content of its closed shadow roots. */
export interface OpenedRoots extends InViewWalk {
  /** Closed shadow roots that were not read. */
  readonly unopened: number;
}

/**
 * Inserts the content of closed shadow roots at its place. Scripts of a page cannot read it, but Chrome gives the root
 * by node id, in our own world (SN5). CDP: `DOM.resolveNode {executionContextId}`, `Runtime.callFunctionOn`.
 */
export async function openRoots(session: CdpSession, outer: InViewWalk, inside: ReadScope): Promise<OpenedRoots> {
  const state = { opened: 0 };
  return open(session, outer, inside, { state, depth: 0 });
}

async function open(
  session: CdpSession,
  outer: InViewWalk,
  inside: ReadScope,
  at: { readonly state: { opened: number }; readonly depth: number },
): Promise<OpenedRoots> {
  const found = new Map<number, OpenedRoots>();
  let unopened = 0;
  for (const [index, { closedRoot }] of outer.nodes.entries()) {
    if (closedRoot === undefined) continue;
    const limits = inside.left();
    const may = at.depth < LIMITS.depth && at.state.opened < LIMITS.roots && limits.nodes > 0 && limits.ms > 0;
    const content = may ? await read(session, closedRoot, inside, limits) : undefined;
    if (!content) unopened += 1;
    else {
      at.state.opened += 1;
      inside.wrote(content.nodes.length);
      found.set(index, await open(session, content, inside, { state: at.state, depth: at.depth + 1 }));
    }
  }
  const inner = [...found.values()];
  return {
    nodes: found.size === 0 ? outer.nodes : placed(outer.nodes, found),
    stopped: outer.stopped || inner.some(({ stopped }) => stopped),
    unopened: inner.reduce((sum, one) => sum + one.unopened, unopened),
  };
}

/** Reads one shadow root; undefined when it is gone. */
async function read(
  session: CdpSession,
  backendNodeId: number,
  { contextId, objectGroup }: ReadScope,
  limits: { readonly nodes: number; readonly ms: number },
): Promise<InViewWalk | undefined> {
  const root = await session.sendMayFail('DOM.resolveNode', {
    backendNodeId,
    executionContextId: contextId,
    objectGroup,
  });
  const shadowRoot = root?.object.objectId;
  return shadowRoot === undefined ? undefined : walk(session, { shadowRoot }, limits, objectGroup);
}

/**
 * Replaces the children of each host by the content of its shadow root: the browser renders those children in slots or
 * not at all.
 */
function placed(outer: readonly DescribedNode[], found: ReadonlyMap<number, InViewWalk>): DescribedNode[] {
  const nodes: DescribedNode[] = [];
  const places: (number | undefined)[] = [];
  outer.forEach((one, index) => {
    const parent = one.parent < 0 ? -1 : places[one.parent];
    if (parent === undefined) return void places.push(undefined);
    const place = nodes.push({ ...one, parent }) - 1;
    const root = found.get(index);
    places.push(root ? undefined : place);
    const base = nodes.length;
    for (const inner of root?.nodes ?? [])
      nodes.push({ ...inner, parent: inner.parent < 0 ? place : inner.parent + base });
  });
  return nodes;
}
