import { MAX_RAW_NODES, type RawDocument, type RawNode, type RawTree } from './raw';

/** The content of a frame that another process holds, with the element it belongs in. */
export interface Graft {
  /** The frame of the document that contains the element. */
  readonly frameId: string;
  readonly backendNodeId: number;
  readonly tree: RawTree;
}

/**
 * Puts the trees of frames in other processes at their frame elements, in document order, nested ones too (SN5). One
 * whose element is not in the page is left out.
 */
export function graft(page: RawTree, grafts: readonly Graft[]): RawTree {
  return grafts.length === 0 ? page : new Grafter(grafts).run(page);
}

class Grafter {
  readonly #nodes: RawNode[] = [];
  readonly #documents: RawDocument[] = [];
  readonly #waiting: Map<string, RawTree>;
  #overflow = false;

  constructor(grafts: readonly Graft[]) {
    this.#waiting = new Map(grafts.map(({ frameId, backendNodeId, tree }) => [keyOf(frameId, backendNodeId), tree]));
  }

  run(page: RawTree): RawTree {
    this.#add(page, -1, false);
    return { documents: this.#documents, nodes: this.#nodes, overflow: this.#overflow };
  }

  /** Nests at most as deep as there are grafts: each is used once. */
  #add(tree: RawTree, root: number, away: boolean): void {
    const before = this.#documents.length;
    this.#documents.push(...tree.documents);
    this.#overflow ||= tree.overflow;
    const places: number[] = [];
    for (const node of tree.nodes) {
      if (this.#nodes.length >= MAX_RAW_NODES) {
        this.#overflow = true;
        return;
      }
      const parent = node.parent < 0 ? root : (places[node.parent] ?? root);
      const own =
        this.#nodes.push({
          ...node,
          parent,
          document: node.document + before,
          states: away ? withOffscreen(node) : node.states,
        }) - 1;
      places.push(own);
      const inner = this.#take(tree.documents[node.document]?.frameId, node.backendNodeId);
      if (inner) this.#add(inner, own, away || node.states.includes('offscreen'));
    }
  }

  #take(frameId: string | undefined, backendNodeId: number | undefined): RawTree | undefined {
    if (frameId === undefined || backendNodeId === undefined) return undefined;
    const key = keyOf(frameId, backendNodeId);
    const tree = this.#waiting.get(key);
    this.#waiting.delete(key);
    return tree;
  }
}

/** Content of a frame that is out of view is out of view, whatever its own document reports. */
function withOffscreen({ kind, states }: RawNode): readonly string[] {
  return (kind === 'element' || kind === 'wrapper') && !states.includes('offscreen')
    ? [...states, 'offscreen']
    : states;
}

function keyOf(frameId: string, backendNodeId: number): string {
  return `${frameId} ${backendNodeId}`;
}
