import { propertiesOf, type AxProperties, type Property } from './properties';
import type { RawNode } from './raw';
import { clean } from './text';
import type { SnapshotNode } from './tree';

/** A node while its tree is being built; read as a `SnapshotNode` afterwards. */
export class Draft implements SnapshotNode {
  role: string;
  name: string;
  description: string;
  states: readonly string[];
  ref: string | undefined;
  /** It is part of a finished tree and may be reused when that is built again. */
  isDone = false;
  nth = 0;
  saidBelow = false;
  children: Draft[] = [];
  readonly nameFromContent: boolean;
  readonly label: boolean;
  readonly leaf: boolean;
  value: string | undefined;
  readonly masked: boolean;
  url: string;
  readonly document: number;
  backendNodeId: number | undefined;
  /** A text made by a style sheet: it has no node of its own, and `backendNodeId` is that of the element around it. */
  borrowsNodeId = false;
  readonly ax: AxProperties | undefined;
  readonly aria: readonly Property[] | undefined;
  /** Whether it is selected or checked would reveal a secret. */
  hidesChoice = false;
  /** The text of the node and its descendants; set once its children are done. */
  spoken = '';

  constructor(
    raw: RawNode,
    readonly order: number,
    readonly level: number,
    /** Its parent in the latest tree. */
    public parent: Draft | undefined,
    readonly interactive: boolean,
    /** Which block the text belongs to; texts of one block are one line. */
    readonly block: number,
  ) {
    this.role = raw.kind === 'text' || raw.kind === 'space' ? 'text' : raw.role;
    this.name = raw.kind === 'space' ? ' ' : raw.name;
    this.description = raw.description === undefined ? '' : clean(raw.description);
    this.states = raw.states;
    this.nameFromContent = raw.nameFromContent;
    this.label = raw.label;
    this.leaf = raw.leaf;
    this.value = raw.value;
    this.masked = raw.masked;
    this.url = clean(raw.url) === '' ? '' : raw.url;
    this.document = raw.document;
    this.backendNodeId = raw.backendNodeId;
    this.ax = raw.ax;
    this.aria = raw.aria;
  }

  get properties(): readonly Property[] {
    return propertiesOf(this);
  }

  /** Redacts its texts; called before anything is derived from them. */
  hideIn(hide: (text: string) => string): void {
    this.name = hide(this.name);
    this.description = hide(this.description);
    this.value = this.value === undefined ? undefined : hide(this.value);
    this.url = hide(this.url);
  }

  get isText(): boolean {
    return this.role === 'text';
  }

  /**
   * An option of a native select: chosen by the `select` action, since there is nothing to click while the list is
   * closed.
   */
  get isMenuOption(): boolean {
    return (
      this.role === 'option' &&
      (this.parent?.role === 'combobox' || (this.parent?.role === 'group' && this.parent.parent?.role === 'combobox'))
    );
  }
}
