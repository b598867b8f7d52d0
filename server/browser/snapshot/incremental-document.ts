import { isDeepStrictEqual } from 'node:util';
import type { CoveredNode } from '@/lib/snapshot/covered';
import { domFacts } from '@/lib/snapshot/dom-facts';
import type { DomDocument, DomNode } from '@/lib/snapshot/dom-document';
import { domOrder, type DomOrder } from '@/lib/snapshot/dom-order';
import type { DomFact, DomFacts } from '@/lib/snapshot/facts';
import type { AxPart } from './ax-parts';
import { partDocument, type ChangedPart, type Changes } from './changes';
import type { FrameInfo } from './frames';
import type { CheckArgs } from './page/check';
import type { DocumentMark } from './weigh-page';

type Found = Exclude<Changes, { readonly lost: string }>;

/** Most changed elements that are read one by one; for more a full reading is faster. */
const MAX_ROWS = 600;

/** One document as it was read, with the numbers by which server and page identify its elements. */
export class IncrementalDocument {
  readonly #ids = new Map<number, number>();
  #laidOut: Set<number>;
  #listening: ReadonlySet<number>;
  #inside: DomOrder['inside'];
  /** Elements whose box is outside their parent's; sent to the page once. */
  #outOfFlow: readonly number[] | undefined;

  private constructor(
    readonly frame: FrameInfo,
    order: DomOrder,
  ) {
    order.ids.forEach((id, key) => this.#ids.set(key, id));
    this.#laidOut = new Set(order.laidOut);
    this.#listening = order.listening;
    this.#inside = order.inside;
    this.#outOfFlow = order.outOfFlow;
  }

  /**
   * Undefined when the page's watch and the DOM pass saw different elements, or when scripts cannot see the whole
   * document.
   */
  static of(frame: FrameInfo, dom: DomDocument, mark: DocumentMark): IncrementalDocument | undefined {
    const order = domOrder(dom);
    return order.closed || order.ids.length !== mark.count || order.print !== mark.print
      ? undefined
      : new IncrementalDocument(frame, order);
  }

  /**
   * `restyled`: styles may have changed anywhere. `covers`: limits for finding covered elements, when that is wanted.
   */
  checkArgs(restyled: boolean, covers: CheckArgs['covers']): CheckArgs {
    return { maxRows: MAX_ROWS, outOfFlow: this.#outOfFlow, restyled, covers };
  }

  /** The covered elements that the page reported; undefined when it reported none. */
  coveredIn({ covered }: Found): CoveredNode[] | undefined {
    return covered?.flatMap((key) => {
      const backendNodeId = this.#ids.get(key);
      return backendNodeId === undefined ? [] : [{ frameId: this.frame.frameId, backendNodeId }];
    });
  }

  /**
   * Applies what the page reported: writes the facts of changed elements into `facts`. Returns the parts whose
   * accessibility has to be read, and the number of facts that changed.
   */
  take(
    found: Found,
    facts: Map<number, DomFact>,
    mask: (facts: DomFacts) => DomFacts,
  ): { readonly wanted: AxPart[]; readonly marks: number } {
    this.#outOfFlow = undefined;
    for (const key of found.gone) this.#ids.delete(key);
    for (const part of found.parts) {
      for (const row of [...part.rows, ...part.controls])
        this.#learn(row.k, row.e === undefined ? undefined : found.newIds[row.e], row.b !== undefined);
    }
    const marks = found.parts.reduce((sum, part) => sum + this.#takeFacts(part, found, facts, mask), 0);
    return { wanted: found.parts.map((part) => this.#axPart(part)), marks };
  }

  /**
   * Applies a new DOM pass over the same elements, and returns those that began or ceased to react to clicks:
   * accessibility tells more of elements that do. Undefined when the elements are not the same.
   */
  relearn(documents: readonly DomDocument[]): AxPart[] | undefined {
    const dom = documents.find(({ frameId }) => frameId === this.frame.frameId);
    const order = dom && domOrder(dom);
    const known = new Set(this.#ids.values());
    if (!order || order.closed || order.ids.length !== known.size || order.ids.some((id) => !known.has(id)))
      return undefined;
    const changed = new Set(order.ids.filter((id) => order.listening.has(id) !== this.#listening.has(id)));
    this.#laidOut = new Set(order.laidOut);
    this.#listening = order.listening;
    this.#inside = order.inside;
    return dom.nodes.flatMap((node) =>
      node.backendNodeId !== undefined && changed.has(node.backendNodeId) ? [listeningPart(node, dom)] : [],
    );
  }

  /**
   * Marks the elements that are out of view. `away`: the whole document is out of view. Returns how many marks changed.
   */
  place(here: readonly number[], away: boolean, facts: Map<number, DomFact>): number {
    const inView = new Set(here.map((key) => this.#ids.get(key)));
    let changed = 0;
    const mark = (id: number, offscreen: boolean): void => {
      const fact = facts.get(id);
      if (!fact || fact.offscreen === offscreen) return;
      facts.set(id, { ...fact, offscreen });
      changed += 1;
    };
    for (const id of this.#ids.values()) mark(id, away || (this.#laidOut.has(id) && !inView.has(id)));
    for (const [id, host] of this.#inside) mark(id, facts.get(host)?.offscreen === true);
    return changed;
  }

  #learn(key: number, id: number | undefined, laidOut: boolean): void {
    if (id !== undefined) this.#ids.set(key, id);
    const known = this.#ids.get(key);
    if (known === undefined) return;
    if (laidOut) this.#laidOut.add(known);
    else this.#laidOut.delete(known);
  }

  #takeFacts(
    part: ChangedPart,
    found: Found,
    facts: Map<number, DomFact>,
    mask: (facts: DomFacts) => DomFacts,
  ): number {
    const fresh = mask(
      domFacts([
        partDocument(this.frame.frameId, part, found, {
          idOf: (row) => this.#ids.get(row.k),
          listens: (id) => id !== undefined && this.#listening.has(id),
        }),
      ]),
    );
    let marks = 0;
    for (const [id, fact] of fresh) {
      const before = facts.get(id);
      const now = { ...fact, frameId: before?.frameId };
      if (isDeepStrictEqual(before, now)) continue;
      facts.set(id, now);
      marks += 1;
    }
    return marks;
  }

  #axPart(part: ChangedPart): AxPart {
    const path = [part.rows[0]?.k ?? -1, ...part.up].flatMap((key) => this.#ids.get(key) ?? []);
    const elements = part.rows.flatMap((row) => this.#ids.get(row.k) ?? []);
    return { path, deep: part.deep, hidden: part.hidden, elements };
  }
}

function listeningPart(node: DomNode, { nodes }: DomDocument): AxPart {
  const path: number[] = [];
  for (let at: DomNode | undefined = node; at; at = nodes[at.parent]) {
    if (at.backendNodeId !== undefined && !at.internal && !at.tag.startsWith('#')) path.push(at.backendNodeId);
  }
  return { path, deep: false, hidden: false, elements: path.slice(0, 1) };
}
