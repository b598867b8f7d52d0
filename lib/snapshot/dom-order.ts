import type { DomDocument, DomNode } from './dom-document';

/** The elements of a document as a script in it sees them: in order, without those that only the browser sees. */
export interface DomOrder {
  /** Node ids by position. */
  readonly ids: readonly number[];
  /** Positions of those whose box is not inside their parent's. */
  readonly outOfFlow: readonly number[];
  /** Those that have a box. */
  readonly laidOut: ReadonlySet<number>;
  /** Those that react to clicks, by nature or by script. */
  readonly listening: ReadonlySet<number>;
  /** Elements inside a browser-made shadow root, with their host. */
  readonly inside: readonly (readonly [id: number, host: number])[];
  /** Equal to the fingerprint that `DocumentWatch.begin` computes in the page. */
  readonly print: number;
  /** The page shows something that scripts cannot look into: a closed shadow root, or the controls of a video. */
  readonly closed: boolean;
}

const PLAYERS = new Set(['video', 'audio']);

/** Brings the DOM pass into the order in which a script walks the same document. */
export function domOrder({ nodes }: DomDocument): DomOrder {
  const ids: number[] = [];
  const outOfFlow: number[] = [];
  const laidOut = new Set<number>();
  const listening = new Set<number>();
  const inside: [number, number][] = [];
  let print = 0;
  let closed = false;
  nodes.forEach((node) => {
    if (node.internal) {
      const host = hostOf(node, nodes);
      if (node.backendNodeId !== undefined && host !== undefined) inside.push([node.backendNodeId, host]);
      return;
    }
    if (node.closedRoot === true || PLAYERS.has(node.tag)) closed = true;
    if (node.tag.startsWith('#') || node.tag.startsWith('::') || node.backendNodeId === undefined) return;
    const { tag, box } = node;
    if (box) laidOut.add(node.backendNodeId);
    if (box && outOfFlowFrom(node, nodes)) outOfFlow.push(ids.length);
    ids.push(node.backendNodeId);
    if (node.listens) listening.add(node.backendNodeId);
    print = (Math.imul(print, 31) + tag.length * 131 + tag.charCodeAt(0)) | 0;
  });
  return { ids, outOfFlow, laidOut, listening, inside, print, closed };
}

function hostOf(node: DomNode, nodes: readonly DomNode[]): number | undefined {
  let around = nodes[node.parent];
  while (around && (around.internal || around.tag.startsWith('#'))) around = nodes[around.parent];
  return around?.backendNodeId;
}

function outOfFlowFrom(node: DomNode, nodes: readonly DomNode[]): boolean {
  let around = nodes[node.parent];
  while (around?.tag.startsWith('#') === true && around.tag !== '#document') around = nodes[around.parent];
  const { box } = node;
  const outer = around?.box;
  if (!box || !outer) return true;
  return (
    box.x < outer.x ||
    box.y < outer.y ||
    box.x + box.width > outer.x + outer.width ||
    box.y + box.height > outer.y + outer.height
  );
}
