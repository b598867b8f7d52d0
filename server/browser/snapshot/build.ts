import { WheelhouseError } from '@/lib/errors/error';
import type { SnapshotView } from '@/lib/protocol/views';
import { buildTree, identityOf } from '@/lib/snapshot/build';
import { findInside, findRef } from '@/lib/snapshot/find';
import { printSnapshot } from '@/lib/snapshot/format';
import type { SnapshotFormat } from '@/lib/snapshot/options';
import type { AssignRef, SnapshotNode, SnapshotTree } from '@/lib/snapshot/tree';
import type { PageReading } from './read-page';

/** Which part of the page to print; all of it when neither is given. */
export interface SnapshotRoot {
  readonly rootRef?: string | undefined;
  /** An element that may have no line of its own, such as a box found by a selector: what lies in it is printed. */
  readonly rootNode?: { readonly frameId: string; readonly backendNodeId: number } | undefined;
}

export interface BuildInit {
  readonly readMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly url: string;
  readonly title: string;
  readonly assign: AssignRef;
  readonly revise: (tree: SnapshotTree, url: string) => number;
}

/** One reading of a page with its tree, shared by all who asked for it. */
export class Build {
  readonly tree: SnapshotTree;
  readonly revision: number;
  readonly #buildMs: number;
  /** Watchers mostly ask for the same form. */
  readonly #printed = new Map<string, SnapshotView>();

  constructor(
    private readonly reading: PageReading,
    private readonly init: BuildInit,
  ) {
    const startedAt = init.now();
    this.tree = buildTree(reading.raw, init.assign, reading.missing);
    this.revision = init.revise(this.tree, init.url);
    this.#buildMs = init.now() - startedAt;
  }

  view(format: SnapshotFormat, root: SnapshotRoot): SnapshotView {
    const key = JSON.stringify([format, root, format.depth === Number.POSITIVE_INFINITY]);
    const known = this.#printed.get(key);
    if (known) return known;
    const made = this.#print(format, this.#rootsOf(root));
    this.#printed.set(key, made);
    return made;
  }

  /** The ref of a node, given now when it had none; undefined for what stands for no element. */
  refOf(node: SnapshotNode): string | undefined {
    if (node.ref !== undefined) return node.ref;
    const identity = identityOf(node, this.tree.documents);
    return identity && this.init.assign(identity);
  }

  #print(format: SnapshotFormat, roots: readonly SnapshotNode[]): SnapshotView {
    const startedAt = this.init.now();
    const printed = printSnapshot(this.tree, format, this.init.url, roots);
    const formatMs = this.#buildMs + this.init.now() - startedAt;
    const { source, ms } = this.reading;
    const view = {
      text: printed.text,
      refs: [...printed.refs],
      stats: { ...printed.stats, ms: { total: round(this.init.readMs + formatMs), ax: ms.ax, dom: ms.dom, format: round(formatMs) } },
      revision: this.revision,
      source,
      url: this.init.url,
      title: this.init.title,
    };
    return printed.truncated ? { ...view, truncated: printed.truncated } : view;
  }

  #rootsOf({ rootRef, rootNode }: SnapshotRoot): readonly SnapshotNode[] {
    if (rootRef !== undefined) {
      const found = findRef(this.tree, rootRef);
      if (!found) throw new WheelhouseError('NODE_GONE', `The element of ref "${rootRef}" is not in the page any more, or has changed.`);
      return [found];
    }
    return rootNode === undefined ? this.tree.roots : findInside(this.tree, this.reading.raw, rootNode.frameId, rootNode.backendNodeId);
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
