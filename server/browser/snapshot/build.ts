import { BoundedMap } from '@/lib/async/bounded-map';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { identityOf } from '@/lib/snapshot/identity';
import type { IncrementalTree } from '@/lib/snapshot/incremental-tree';
import { findInside, findDocument } from '@/lib/snapshot/find';
import { printSnapshot } from '@/lib/snapshot/format';
import { coveredKey, coveredNodes, type CoveredNode } from '@/lib/snapshot/covered';
import type { SnapshotFormat, SnapshotOptions } from '@/lib/snapshot/options';
import type { PrintContext } from '@/lib/snapshot/print';
import { eachNode, type AssignRef, type SnapshotNode, type SnapshotTree } from '@/lib/snapshot/tree';
import { findText, searchText } from '@/lib/snapshot/text-matches';
import type { PageReading } from './read-page';
import { patternSearch } from './pattern-search';
import type { PrintedView } from './snapshot-delta';

/**
 * The part of the page to print: an element, or all of a frame. An element without a line of its own stands for what is
 * inside it.
 */
export type SnapshotPart =
  | { readonly by: 'element'; readonly frameId: string; readonly backendNodeId: number }
  | { readonly by: 'frame'; readonly frameId: string };

export interface BuildInit {
  readonly readMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly url: string;
  readonly title: string;
  /** The tree built from the page's previous reading, which is renewed. */
  readonly trees: IncrementalTree;
  readonly assign: AssignRef;
  /** The number of the ref that was assigned last. */
  readonly lastRef: () => number;
  /** The elements that something covers. */
  readonly covered: readonly CoveredNode[];
  /** Returns the revision of this state. `more`: what is shown beside the tree. */
  readonly revise: (tree: SnapshotTree, more: string) => number;
}

type Found = PrintContext['found'];

/** Callers use few formats; each search counts as a format of its own. */
const MOST_PRINTED = 12;

/** One reading of a page with its tree, shared by all who asked for it. */
export class Build {
  readonly tree: SnapshotTree;
  readonly revision: number;
  /** The document, and the last ref that was assigned when this was built; kept for each reader, for the mark `new`. */
  readonly document: { readonly loaderId: string; readonly lastRef: number };
  readonly #covered: ReadonlySet<SnapshotNode> | undefined;
  readonly #buildMs: number;
  #present: ReadonlySet<string> | undefined;
  /** Printed texts by format: watchers mostly ask for the same one. */
  readonly #printed = new BoundedMap<string, PrintedView>(MOST_PRINTED);

  constructor(
    private readonly reading: PageReading,
    private readonly init: BuildInit,
  ) {
    const startedAt = init.now();
    this.tree = init.trees.build(reading.raw, init.assign, reading.missing);
    this.#covered = coveredNodes(this.tree, init.covered);
    this.revision = init.revise(this.tree, `${init.url} ${coveredKey(init.covered)}`);
    this.document = { loaderId: this.tree.documents[0]?.loaderId ?? '', lastRef: init.lastRef() };
    this.#buildMs = init.now() - startedAt;
  }

  /**
   * The nodes that a search finds, to be passed to `print`; undefined when the options have no search. A caller's
   * pattern runs in a thread (`PatternSearch`). Throws NODE_GONE when the part is not in the page as it was read, and
   * what `PatternSearch.find` throws.
   */
  async search(
    budget: Budget,
    { find, findRegex }: Pick<SnapshotOptions, 'find' | 'findRegex'>,
    part: SnapshotPart | undefined,
    asker: string,
  ): Promise<Found> {
    if (find === undefined && findRegex === undefined) return undefined;
    const roots = this.#rootsOf(part);
    const byText = find === undefined ? undefined : findText(roots, find);
    if (findRegex === undefined) return byText;
    const nodes = [...(byText ?? eachNode(roots))];
    const fits = await patternSearch.find(budget, asker, findRegex, nodes.map(searchText));
    return new Set(nodes.filter((_, index) => fits.has(index)));
  }

  /** Throws NODE_GONE when the part is not in the page as it was read. */
  print(
    format: SnapshotFormat,
    part: SnapshotPart | undefined,
    about: Pick<PrintContext, 'tabs' | 'newAfter'>,
    found: Found,
  ): PrintedView {
    const key = JSON.stringify([format, part ?? null, about]);
    const known = this.#printed.get(key);
    if (known) return known;
    const made = this.printOnce(format, part, { ...about, found });
    this.#printed.set(key, made);
    return made;
  }

  /** Prints a format that no other caller shares, without keeping it. */
  printOnce(
    format: SnapshotFormat,
    part: SnapshotPart | undefined,
    about: Omit<PrintContext, 'url' | 'refOf'>,
  ): PrintedView {
    return this.#print(format, this.#rootsOf(part), about);
  }

  /** Whether an element is in the page as it was read. */
  holds(frameId: string, backendNodeId: number): boolean {
    const { documents, nodes } = this.reading.raw;
    this.#present ??= new Set(
      nodes.map((node) => `${documents[node.document]?.frameId ?? ''} ${node.backendNodeId ?? 0}`),
    );
    return this.#present.has(`${frameId} ${backendNodeId}`);
  }

  /** The ref of a node, assigned now if it had none; undefined for a line without a DOM node. */
  refOf(node: SnapshotNode): string | undefined {
    if (node.ref !== undefined) return node.ref;
    const identity = identityOf(node, this.tree.documents);
    return identity && this.init.assign(identity);
  }

  /** The address of the main document. */
  get url(): string {
    return this.init.url;
  }

  /** The subframes of the page as it was read. */
  get frames(): readonly { readonly frameId: string; readonly label: string; readonly url: string }[] {
    const { frames, inner = [] } = this.reading;
    const urls = new Map([...frames, ...inner].map(({ frameId, url }) => [frameId, url]));
    return this.tree.documents.slice(1).map(({ frameId, label }) => ({ frameId, label, url: urls.get(frameId) ?? '' }));
  }

  #print(
    format: SnapshotFormat,
    roots: readonly SnapshotNode[],
    about: Omit<PrintContext, 'url' | 'refOf'>,
  ): PrintedView {
    const startedAt = this.init.now();
    const printed = printSnapshot(
      this.tree,
      format,
      {
        ...about,
        url: this.init.url,
        covered: this.#covered,
        refOf: format.view === 'webarena' ? (node) => this.refOf(node) : undefined,
      },
      roots,
    );
    const formatMs = this.#buildMs + this.init.now() - startedAt;
    const { source, ms } = this.reading;
    const view = {
      text: printed.text,
      refs: [...printed.refs],
      stats: {
        ...printed.stats,
        ms: { total: round(this.init.readMs + formatMs), ax: ms.ax, dom: ms.dom, format: round(formatMs) },
      },
      revision: this.revision,
      source,
      url: this.init.url,
      title: this.init.title,
    };
    return { view: printed.truncated ? { ...view, truncated: printed.truncated } : view, lines: printed.lines };
  }

  #rootsOf(part: SnapshotPart | undefined): readonly SnapshotNode[] {
    if (!part) return this.tree.roots;
    const inside =
      part.by === 'frame'
        ? findDocument(this.tree, part.frameId)
        : findInside(this.tree, this.reading.raw, part.frameId, part.backendNodeId);
    if (inside) return inside;
    const { missing } = this.reading;
    if (missing === undefined) throw new WheelhouseError('NODE_GONE', `That ${part.by} is not in the page any more.`);
    throw new WheelhouseError(
      'TIMEOUT',
      `That ${part.by} is not among what was read of this page, which is not all of it.`,
      { hint: 'Scroll there or wait for the rest, and look again.', details: { missing } },
    );
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
