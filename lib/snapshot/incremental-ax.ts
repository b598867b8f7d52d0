import { AxIndex } from './ax-index';
import { axText, listOf, type AxNodeLike } from './ax-node';
import { roleKind } from './roles';

/** One part of an accessibility tree that was read again. */
export interface AxAnswer {
  /** Id of the node that was asked for. */
  readonly root: string;
  /** Its descendants were asked for as well. */
  readonly deep: boolean;
  /** The answer, including ancestors up to the document. */
  readonly nodes: readonly AxNodeLike[];
  /** Nodes that may have changed: each is either among `nodes` or gone. */
  readonly asked: readonly string[];
}

/** The accessibility tree of one document, which is kept and updated by parts that are read again (SN1). */
export class IncrementalAx {
  /** The current nodes. */
  readonly index: AxIndex;
  readonly #first: string;

  constructor(nodes: readonly AxNodeLike[]) {
    this.index = new AxIndex(nodes.filter((node) => !isLineBox(node)));
    this.#first = nodes[0]?.nodeId ?? '';
  }

  /** Node id of the document. */
  get root(): number {
    return this.index.get(this.#first)?.backendDOMNodeId ?? -1;
  }

  /**
   * Whether an answer begins with a node of this tree that leads up to its root: Chrome also answers for nodes outside
   * the tree.
   */
  hasPlace({ root, nodes }: AxAnswer): boolean {
    const found = byId(nodes);
    let at = found.get(root);
    for (let steps = 0; at && steps <= found.size; steps += 1) {
      if (at.nodeId === this.#first) return true;
      at = at.parentId === undefined ? undefined : found.get(at.parentId);
    }
    return false;
  }

  /**
   * Inserts the parts. `misfit`: why they do not fit the rest, which makes the tree useless. `altered`: whether
   * anything changed.
   */
  put(answers: readonly AxAnswer[]): { readonly misfit: string | undefined; readonly altered: boolean } {
    const fresh = new Map(answers.flatMap((answer) => [...this.#within(answer)]));
    const before = this.#leaving(answers, fresh);
    let altered = false;
    for (const [id, node] of fresh) {
      if (JSON.stringify(this.index.get(id)) === JSON.stringify(node)) continue;
      altered = true;
      this.index.set(node);
    }
    for (const id of before) if (!fresh.has(id) && this.index.delete(id)) altered = true;
    return { misfit: this.#anyMisfit(answers, fresh), altered };
  }

  #anyMisfit(answers: readonly AxAnswer[], fresh: ReadonlyMap<string, AxNodeLike>): string | undefined {
    for (const node of fresh.values()) {
      const misfit = this.#misfit(node, fresh);
      if (misfit !== undefined) return misfit;
    }
    if (answers.some(({ asked }) => asked.some((id) => this.index.has(id) && !fresh.has(id))))
      return 'something that is not rendered was not read';
    if ([...fresh.values()].some((node) => node.nodeId !== this.#first && !this.#isHeld(node)))
      return 'something has no place';
    return answers.every((answer) => !answer.deep || this.#isWhole(answer.root, fresh))
      ? undefined
      : 'a part came without all that is in it';
  }

  /** The nodes of an answer without ancestors outside this document: a frame's path continues in its parent page. */
  #within({ nodes }: AxAnswer): ReadonlyMap<string, AxNodeLike> {
    const found = byId(nodes.filter((node) => !isLineBox(node)));
    for (let id = found.get(this.#first)?.parentId; id !== undefined && found.has(id);) {
      const above = found.get(id)?.parentId;
      found.delete(id);
      id = above;
    }
    return found;
  }

  #isHeld(node: AxNodeLike): boolean {
    return listOf(this.index.get(node.parentId ?? '')?.childIds).includes(node.nodeId);
  }

  /** Ids of the nodes that were below the replaced parts. */
  #leaving(answers: readonly AxAnswer[], fresh: ReadonlyMap<string, AxNodeLike>): Set<string> {
    const deep = answers.flatMap((answer) => (answer.deep ? listOf(this.index.get(answer.root)?.childIds) : []));
    const lost = [...fresh.values()].flatMap((node) => {
      const now = new Set(listOf(node.childIds));
      return listOf(this.index.get(node.nodeId)?.childIds).filter((id) => !now.has(id));
    });
    const left = new Set<string>();
    const waiting = [...deep, ...lost];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (left.has(id)) continue;
      left.add(id);
      waiting.push(...listOf(this.index.get(id)?.childIds));
    }
    return left;
  }

  #misfit(node: AxNodeLike, fresh: ReadonlyMap<string, AxNodeLike>): string | undefined {
    if (!holdsNodes(node)) return undefined;
    for (const id of listOf(node.childIds)) {
      const child = this.index.get(id);
      if (!child) return `a ${axText(node.role)} has something in it that was not read`;
      if (!fresh.has(id) && child.parentId !== node.nodeId) return `something moved into a ${axText(node.role)}`;
    }
    return undefined;
  }

  #isWhole(root: string, fresh: ReadonlyMap<string, AxNodeLike>): boolean {
    const waiting = [root];
    const seen = new Set<string>();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const node = fresh.get(id);
      if (!node || seen.has(id)) return false;
      seen.add(id);
      if (holdsNodes(node)) waiting.push(...listOf(node.childIds));
    }
    return true;
  }
}

function byId(nodes: readonly AxNodeLike[]): Map<string, AxNodeLike> {
  return new Map(nodes.map((node) => [node.nodeId, node]));
}

/** Nodes of Chrome's role `InlineTextBox`: a third of all nodes, never shown. */
function isLineBox(node: AxNodeLike): boolean {
  return node.role?.value === 'InlineTextBox';
}

/** Whether its children are read: those of texts are line boxes only. */
function holdsNodes(node: AxNodeLike): boolean {
  const { kind } = roleKind(axText(node.role));
  return kind !== 'text' && kind !== 'space' && kind !== 'dropped';
}
