import type { Attributes, DomBox, DomDocument, DomNode } from './dom-document';

/** The answer of `DOMSnapshot.captureSnapshot`, as far as it is read. Strings are indexes into one table. */
export interface DomSnapshotLike {
  readonly documents: readonly DomSnapshotDocumentLike[];
  readonly strings: readonly string[];
}

interface DomSnapshotDocumentLike {
  readonly frameId: number;
  readonly scrollOffsetX?: number | undefined;
  readonly scrollOffsetY?: number | undefined;
  readonly nodes: NodeTableLike;
  readonly layout: LayoutTableLike;
}

interface NodeTableLike {
  readonly parentIndex?: readonly number[] | undefined;
  readonly shadowRootType?: RareStringLike | undefined;
  readonly nodeType?: readonly number[] | undefined;
  readonly nodeName?: readonly number[] | undefined;
  readonly nodeValue?: readonly number[] | undefined;
  readonly backendNodeId?: readonly number[] | undefined;
  readonly attributes?: readonly (readonly number[])[] | undefined;
  readonly textValue?: RareStringLike | undefined;
  readonly inputValue?: RareStringLike | undefined;
  readonly inputChecked?: RareLike | undefined;
  readonly optionSelected?: RareLike | undefined;
  readonly contentDocumentIndex?: RareStringLike | undefined;
  readonly pseudoType?: RareStringLike | undefined;
  readonly isClickable?: RareLike | undefined;
}

interface RareLike {
  readonly index: readonly number[];
}

interface RareStringLike extends RareLike {
  readonly value: readonly number[];
}

interface LayoutTableLike {
  readonly nodeIndex: readonly number[];
  readonly styles: readonly (readonly number[])[];
  readonly bounds: readonly (readonly number[])[];
}

/** Ask `captureSnapshot` for exactly these, in this order. */
export const SNAPSHOT_STYLES = ['cursor', 'visibility', 'display', '-webkit-text-security'] as const;

/** Converts the column tables of `DOMSnapshot.captureSnapshot` to nodes. */
export function readDomSnapshot(snapshot: DomSnapshotLike): DomDocument[] {
  const strings = new Strings(snapshot.strings);
  return snapshot.documents.map((document) => {
    const columns = new Columns(document, strings);
    return { frameId: strings.at(document.frameId), nodes: columns.nodes(), viewport: columns.viewport() };
  });
}

class Strings {
  readonly #lower = new Map<number, string>();

  constructor(private readonly table: readonly string[]) {}

  at(index: number | undefined): string {
    return index === undefined || index < 0 ? '' : (this.table[index] ?? '');
  }

  lower(index: number | undefined): string {
    const known = this.#lower.get(index ?? -1);
    if (known !== undefined) return known;
    const made = this.at(index).toLowerCase();
    this.#lower.set(index ?? -1, made);
    return made;
  }
}

/** `Node.DOCUMENT_TYPE_NODE`; its node name looks like that of an element. */
const DOCTYPE = 10;

const FLAG = { listens: 1, checked: 2, selected: 4, pseudo: 8, internal: 16 } as const;

/** One document's tables, by node index. */
class Columns {
  readonly layoutOf: Int32Array;
  readonly flags: Uint8Array;
  readonly values: ReadonlyMap<number, number>;
  readonly contents: ReadonlyMap<number, number>;
  readonly #shadows: ReadonlyMap<number, number>;
  readonly #count: number;

  constructor(
    readonly document: DomSnapshotDocumentLike,
    readonly strings: Strings,
  ) {
    const { nodes, layout } = document;
    this.#count = nodes.nodeName?.length ?? 0;
    this.layoutOf = new Int32Array(this.#count).fill(-1);
    for (let at = layout.nodeIndex.length - 1; at >= 0; at -= 1) this.layoutOf[layout.nodeIndex[at] ?? -1] = at;
    this.flags = new Uint8Array(this.#count);
    this.#flag(nodes.isClickable, FLAG.listens);
    this.#flag(nodes.inputChecked, FLAG.checked);
    this.#flag(nodes.optionSelected, FLAG.selected);
    this.#flag(nodes.pseudoType, FLAG.pseudo);
    this.values = rare(nodes.inputValue, nodes.textValue);
    this.contents = rare(nodes.contentDocumentIndex);
    this.#shadows = rare(nodes.shadowRootType);
  }

  nodes(): DomNode[] {
    return Array.from({ length: this.#count }, (_, index) => {
      const given = this.document.nodes.parentIndex?.[index] ?? -1;
      const parent = given < index ? given : -1;
      if (this.#isInternal(index, parent)) this.flags[index] = (this.flags[index] ?? 0) | FLAG.internal;
      return new ColumnNode(this, index, parent);
    });
  }

  isClosed(index: number): boolean {
    const shadow = this.#shadows.get(index);
    return shadow !== undefined && this.strings.at(shadow) === 'closed';
  }

  /** The root's bounds are the size of the window on it; everything else is measured from the document's own corner. */
  viewport(): DomBox | undefined {
    const root = boxOf(this.document.layout.bounds[this.layoutOf[0] ?? -1]);
    return root && { ...root, x: this.document.scrollOffsetX ?? 0, y: this.document.scrollOffsetY ?? 0 };
  }

  #flag(rare: RareLike | undefined, flag: number): void {
    for (const index of rare?.index ?? []) {
      if (index < this.#count) this.flags[index] = (this.flags[index] ?? 0) | flag;
    }
  }

  /** Chrome gives the type on the root and on its direct children; only its own roots say `user-agent`. */
  #isInternal(index: number, parent: number): boolean {
    if (((this.flags[index] ?? 0) & FLAG.pseudo) !== 0 || ((this.flags[parent] ?? 0) & FLAG.internal) !== 0)
      return true;
    const shadow = this.#shadows.get(index);
    return shadow !== undefined && this.strings.at(shadow) === 'user-agent';
  }
}

/** A view on the tables, without copying: most nodes are read once or never. */
class ColumnNode implements DomNode {
  readonly labelText = undefined;

  constructor(
    private readonly columns: Columns,
    private readonly index: number,
    readonly parent: number,
  ) {}

  get tag(): string {
    if (this.columns.document.nodes.nodeType?.[this.index] === DOCTYPE) return '#doctype';
    return this.columns.strings.lower(this.columns.document.nodes.nodeName?.[this.index]);
  }

  get text(): string {
    return this.tag === '#text' ? this.columns.strings.at(this.columns.document.nodes.nodeValue?.[this.index]) : '';
  }

  get attributes(): Attributes {
    return new FlatAttributes(this.columns.document.nodes.attributes?.[this.index] ?? [], this.columns.strings);
  }

  get backendNodeId(): number | undefined {
    return this.columns.document.nodes.backendNodeId?.[this.index];
  }

  get value(): string | undefined {
    const value = this.columns.values.get(this.index);
    return value === undefined ? undefined : this.columns.strings.at(value);
  }

  get checked(): boolean {
    return this.#has(FLAG.checked);
  }

  get selected(): boolean {
    return this.#has(FLAG.selected);
  }

  get listens(): boolean {
    return this.#has(FLAG.listens);
  }

  get internal(): boolean {
    return this.#has(FLAG.internal);
  }

  get closedRoot(): boolean {
    return this.tag === '#document-fragment' && this.columns.isClosed(this.index);
  }

  get pointer(): boolean {
    return this.#style(0) === 'pointer';
  }

  get visible(): boolean {
    const visibility = this.#style(1);
    return this.#layout >= 0 && visibility !== 'hidden' && visibility !== 'collapse';
  }

  get inline(): boolean {
    const display = this.#style(2);
    return display === '' || display.startsWith('inline') || display === 'contents';
  }

  get dots(): boolean {
    const security = this.#style(3);
    return security !== '' && security !== 'none';
  }

  get box(): DomBox | undefined {
    return boxOf(this.columns.document.layout.bounds[this.#layout]);
  }

  get contentDocument(): number | undefined {
    return this.columns.contents.get(this.index);
  }

  get #layout(): number {
    return this.columns.layoutOf[this.index] ?? -1;
  }

  /** One of SNAPSHOT_STYLES, '' where the node is not laid out. */
  #style(at: number): string {
    return this.columns.strings.at(this.columns.document.layout.styles[this.#layout]?.[at]);
  }

  #has(flag: number): boolean {
    return ((this.columns.flags[this.index] ?? 0) & flag) !== 0;
  }
}

/** Names and values alternate, as string indexes. */
class FlatAttributes implements Attributes {
  constructor(
    private readonly flat: readonly number[],
    private readonly strings: Strings,
  ) {}

  get(name: string): string | undefined {
    for (let at = 0; at + 1 < this.flat.length; at += 2) {
      if (this.strings.lower(this.flat[at]) === name) return this.strings.at(this.flat[at + 1]);
    }
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

function rare(...tables: readonly (RareStringLike | undefined)[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const table of tables) {
    table?.index.forEach((node, at) => {
      const value = table.value[at];
      if (value !== undefined) found.set(node, value);
    });
  }
  return found;
}

function boxOf(bounds: readonly number[] | undefined): DomBox | undefined {
  const [x, y, width, height] = bounds ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { x, y, width, height };
}
