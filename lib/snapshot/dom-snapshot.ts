import type { Box, DomDocument, DomNode } from './dom-document';

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
export const SNAPSHOT_STYLES = ['cursor', 'visibility', 'display'] as const;

/** Brings the column tables of `DOMSnapshot.captureSnapshot` to nodes. */
export function readDomSnapshot(snapshot: DomSnapshotLike): DomDocument[] {
  return snapshot.documents.map((document) => new Reader(document, snapshot.strings).read());
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

class Reader {
  readonly #layoutOf = new Map<number, number>();
  readonly #listens: ReadonlySet<number>;
  readonly #checked: ReadonlySet<number>;
  readonly #selected: ReadonlySet<number>;
  readonly #pseudo: ReadonlySet<number>;
  readonly #values: ReadonlyMap<number, number>;
  readonly #shadows: ReadonlyMap<number, number>;
  readonly #contents: ReadonlyMap<number, number>;
  readonly #nodes: DomNode[] = [];

  constructor(
    private readonly document: DomSnapshotDocumentLike,
    private readonly strings: readonly string[],
  ) {
    const { nodes, layout } = document;
    layout.nodeIndex.forEach((node, index) => {
      if (!this.#layoutOf.has(node)) this.#layoutOf.set(node, index);
    });
    this.#listens = new Set(nodes.isClickable?.index);
    this.#checked = new Set(nodes.inputChecked?.index);
    this.#selected = new Set(nodes.optionSelected?.index);
    this.#pseudo = new Set(nodes.pseudoType?.index);
    this.#values = rare(nodes.inputValue, nodes.textValue);
    this.#shadows = rare(nodes.shadowRootType);
    this.#contents = rare(nodes.contentDocumentIndex);
  }

  read(): DomDocument {
    const { nodes, frameId } = this.document;
    (nodes.nodeName ?? []).forEach((name, index) => this.#nodes.push(this.#node(index, this.#string(name))));
    return { frameId: this.#string(frameId), nodes: this.#nodes, viewport: this.#viewport() };
  }

  #node(index: number, name: string): DomNode {
    const { nodes } = this.document;
    const given = nodes.parentIndex?.[index] ?? -1;
    const parent = given < index ? given : -1;
    const layout = this.#layoutOf.get(index);
    const [cursor, visibility, display] = (this.document.layout.styles[layout ?? -1] ?? []).map((at) => this.#string(at));
    const value = this.#values.get(index);
    return {
      parent,
      tag: name.toLowerCase(),
      text: name === '#text' ? this.#string(nodes.nodeValue?.[index]) : '',
      attributes: this.#attributes(nodes.attributes?.[index]),
      backendNodeId: nodes.backendNodeId?.[index],
      value: value === undefined ? undefined : this.#string(value),
      checked: this.#checked.has(index),
      selected: this.#selected.has(index),
      listens: this.#listens.has(index),
      pointer: cursor === 'pointer',
      inline: display === undefined || display.startsWith('inline') || display === 'contents',
      visible: layout !== undefined && visibility !== 'hidden' && visibility !== 'collapse',
      internal: this.#internal(index, parent),
      box: layout === undefined ? undefined : boxOf(this.document.layout.bounds[layout]),
      contentDocument: this.#contents.get(index),
      labelText: undefined,
    };
  }

  #internal(index: number, parent: number): boolean {
    if (this.#pseudo.has(index) || this.#nodes[parent]?.internal === true) return true;
    const shadow = this.#shadows.get(index);
    // Chrome gives the type on the root and on its direct children; only its own roots say `user-agent`.
    return shadow !== undefined && this.#string(shadow) === 'user-agent';
  }

  #attributes(flat: readonly number[] | undefined): ReadonlyMap<string, string> {
    if (!flat || flat.length === 0) return NO_ATTRIBUTES;
    const attributes = new Map<string, string>();
    for (let at = 0; at + 1 < flat.length; at += 2) attributes.set(this.#string(flat[at]).toLowerCase(), this.#string(flat[at + 1]));
    return attributes;
  }

  /** The root's bounds are the size of the window on it; everything else is measured from the document's own corner. */
  #viewport(): Box | undefined {
    const layout = this.#layoutOf.get(0);
    const root = layout === undefined ? undefined : boxOf(this.document.layout.bounds[layout]);
    return root && { ...root, x: this.document.scrollOffsetX ?? 0, y: this.document.scrollOffsetY ?? 0 };
  }

  #string(index: number | undefined): string {
    return index === undefined || index < 0 ? '' : (this.strings[index] ?? '');
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

function boxOf(bounds: readonly number[] | undefined): Box | undefined {
  const [x, y, width, height] = bounds ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { x, y, width, height };
}
