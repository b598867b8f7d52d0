/** A document as the DOM pass sees it, whether `DOMSnapshot.captureSnapshot` or a walk inside the page read it. */

export interface DomBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Attributes by lower-case name. */
export interface Attributes {
  get(name: string): string | undefined;
  has(name: string): boolean;
}

export interface DomNode {
  /** Index of the parent in the list, always smaller than the own one; -1 for the root. */
  readonly parent: number;
  /** Lower case; '#text', '#document' or '#document-fragment' (a shadow root) for nodes that are not elements. */
  readonly tag: string;
  readonly text: string;
  readonly attributes: Attributes;
  readonly backendNodeId: number | undefined;
  /** The live value of a field, not its attribute. */
  readonly value: string | undefined;
  readonly checked: boolean;
  readonly selected: boolean;
  /** A script listens for clicks on it, or it reacts to them by nature. */
  readonly listens: boolean;
  /** Its computed cursor is `pointer`. */
  readonly pointer: boolean;
  /** CSS draws its text as dots (`-webkit-text-security`). */
  readonly dots: boolean;
  readonly inline: boolean;
  /** Laid out and not `visibility: hidden`. */
  readonly visible: boolean;
  /** Belongs to the browser's own shadow tree of a control. */
  readonly internal: boolean;
  /** A closed shadow root, into which no script of the page can look. */
  readonly closedRoot?: boolean | undefined;
  /** CSS pixels of the document. */
  readonly box: DomBox | undefined;
  /** For a frame element: index of the document in it, when it is in the same process. */
  readonly contentDocument: number | undefined;
  /** Text of the labels that belong to it, when the reader has found them already. */
  readonly labelText: string | undefined;
}

export interface DomDocument {
  readonly frameId: string;
  readonly nodes: readonly DomNode[];
  /** The visible part of the document, CSS pixels of the document; undefined when unknown. */
  readonly viewport: DomBox | undefined;
}

export function attributeOf(node: DomNode, name: string): string {
  return node.attributes.get(name) ?? '';
}

/** For each node the index just after its last descendant; children follow their parent in the list. */
export function subtreeEnds(nodes: readonly DomNode[]): Int32Array {
  const ends = Int32Array.from(nodes, (_, index) => index + 1);
  for (let index = nodes.length - 1; index > 0; index -= 1) {
    const parent = nodes[index]?.parent ?? -1;
    const end = ends[index] ?? index + 1;
    if (parent >= 0 && end > (ends[parent] ?? 0)) ends[parent] = end;
  }
  return ends;
}

/** The first element with each id. */
export function idsOf(nodes: readonly DomNode[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  nodes.forEach((node, index) => {
    const id = node.attributes.get('id');
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
  });
  return ids;
}

/** Whether two boxes share an inner point; a box without area counts by its corner. */
export function overlaps(box: DomBox, view: DomBox): boolean {
  const right = box.x + Math.max(box.width, 1);
  const bottom = box.y + Math.max(box.height, 1);
  return box.x < view.x + view.width && right > view.x && box.y < view.y + view.height && bottom > view.y;
}
