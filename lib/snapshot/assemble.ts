import { Draft } from './draft';
import type { RawNode, RawTree } from './raw';
import { isInteractive } from './roles';
import { reusableOf, type AssembledTree, type Reusable } from './reusable';
import { RAW_LIMIT } from './text';
import { MAX_LEVEL } from './tree';

/**
 * First pass over the common form: drops wrappers, gives a line to elements that only react to clicks, joins the text
 * of one block into one line. Parts of `before` that would come out the same are reused, already settled (SN1).
 */
export function assembleTree(raw: RawTree, before?: AssembledTree): AssembledTree {
  const { documents } = raw;
  const nodes = withoutMasked(raw.nodes);
  return new TreeAssembler({ documents, nodes }, before && reusableOf(before, documents, nodes)).run();
}

const PAGE: RawNode = {
  parent: -1,
  document: 0,
  kind: 'element',
  role: 'document',
  name: '',
  nameFromContent: false,
  inline: false,
  leaf: false,
  label: false,
  states: [],
  value: undefined,
  masked: false,
  url: '',
  backendNodeId: undefined,
  clickable: 'no',
};

class TreeAssembler {
  readonly #page = new Draft(PAGE, -1, -1, undefined, false, -1);
  readonly #newDrafts: Draft[] = [this.#page];
  /** For each raw node: the draft that its children hang on; undefined when nothing of it is shown. */
  readonly #home: (Draft | undefined)[] = [];
  readonly #block: number[] = [];
  /** 1 for text inside a label. */
  readonly #label: Uint8Array;
  readonly #own: (Draft | undefined)[];
  readonly #actionsBelow: Uint8Array;

  constructor(
    private readonly raw: AssembledTree['of'],
    private readonly reusable: Reusable | undefined,
  ) {
    this.#actionsBelow = actionsBelow(raw.nodes);
    this.#own = reusable?.own.slice() ?? [];
    this.#label = reusable?.label.slice() ?? new Uint8Array(raw.nodes.length);
  }

  run(): AssembledTree {
    const { nodes } = this.raw;
    for (let index = 0, node = nodes[0]; node; node = nodes[index]) index = this.#plantOne(node, index);
    return {
      of: this.raw,
      page: this.#page,
      newDrafts: this.#newDrafts,
      own: this.#own,
      label: this.#label,
      ends: this.reusable?.ends,
    };
  }

  /** Returns the index of the next node to process. */
  #plantOne(node: RawNode, index: number): number {
    const parent = node.parent < 0 ? this.#page : this.#home[node.parent];
    const known = parent && this.reusable?.draftAt(index, parent, this.#label);
    if (known && this.reusable) {
      known.parent = parent;
      parent.children.push(known);
      return this.reusable.endOf(index);
    }
    const block = this.#block[node.parent] ?? -1;
    this.#block[index] = node.kind === 'wrapper' && node.inline ? block : index;
    this.#label[index] = node.label ? 1 : (this.#label[node.parent] ?? 0);
    this.#own[index] = undefined;
    this.#home[index] = parent && this.#place(node, index, parent, block);
    return index + 1;
  }

  /** The draft that children hang on; undefined when they are not shown. */
  #place(node: RawNode, index: number, parent: Draft, block: number): Draft | undefined {
    if (node.kind === 'text' || node.kind === 'space') {
      this.#addText(node, index, parent, block);
      return undefined;
    }
    const promoted = node.kind === 'wrapper' && this.#isPromoted(node, index);
    if (node.kind === 'wrapper' && !promoted) return parent;
    const interactive =
      isInteractive(node.role) || (node.clickable !== 'no' && (promoted || this.#reacts(node, index)));
    const draft = this.#add(promoted ? { ...node, role: 'generic' } : node, index, parent, interactive, index);
    this.#own[index] = draft;
    if (node.clickable === 'pointer' && interactive && !isInteractive(node.role))
      draft.states = withPointer(draft.states);
    return node.leaf ? undefined : draft;
  }

  /** A box that listens for the clicks of buttons inside it is not a button itself. */
  #isPromoted(node: RawNode, index: number): boolean {
    if (node.clickable === 'no' || node.label) return false;
    return this.#reacts(node, index);
  }

  #reacts(node: RawNode, index: number): boolean {
    return node.clickable === 'pointer' || this.#actionsBelow[index] === 0;
  }

  #addText(node: RawNode, index: number, parent: Draft, block: number): void {
    const last = parent.children.at(-1);
    if (last?.isText === true && last.block === block) {
      if (last.name.length < RAW_LIMIT) last.name += node.kind === 'space' ? ' ' : node.name;
      if (last.borrowsNodeId && node.backendNodeId !== undefined)
        [last.backendNodeId, last.borrowsNodeId] = [node.backendNodeId, false];
      return;
    }
    const draft = this.#add({ ...node, label: this.#label[index] === 1, states: [] }, index, parent, false, block);
    if (node.backendNodeId !== undefined) return;
    draft.backendNodeId = this.#nodeAround(node);
    draft.borrowsNodeId = true;
  }

  #nodeAround(node: RawNode): number | undefined {
    for (let at = this.raw.nodes[node.parent]; at; at = this.raw.nodes[at.parent])
      if (at.backendNodeId !== undefined) return at.backendNodeId;
    return undefined;
  }

  #add(node: RawNode, index: number, wanted: Draft, interactive: boolean, block: number): Draft {
    const parent = wanted.level >= MAX_LEVEL - 1 ? (wanted.parent ?? wanted) : wanted;
    const draft = new Draft(node, index, parent.level + 1, parent, interactive, block);
    parent.children.push(draft);
    this.#newDrafts.push(draft);
    return draft;
  }
}

/** SN2's order has `cursor=pointer` before `offscreen`. */
function withPointer(states: readonly string[]): readonly string[] {
  const rest = states.filter((state) => state !== 'offscreen');
  return rest.length === states.length ? [...rest, 'cursor=pointer'] : [...rest, 'cursor=pointer', 'offscreen'];
}

/** 1 for each node with something to act on inside. */
function actionsBelow(nodes: readonly RawNode[]): Uint8Array {
  const below = new Uint8Array(nodes.length);
  for (let index = nodes.length - 1; index > 0; index -= 1) {
    const node = nodes[index];
    if (!node || node.parent < 0) continue;
    if (below[index] === 1 || (node.kind === 'element' && isInteractive(node.role)) || node.clickable !== 'no')
      below[node.parent] = 1;
  }
  return below;
}

/**
 * A name or description that is computed from a masked field would reveal its content (SN6, CO8): from content inside
 * the element, or from elements that label or describe it. Such a name is recomputed from what is shown, such a
 * description is dropped.
 */
function withoutMasked(nodes: readonly RawNode[]): readonly RawNode[] {
  if (!nodes.some(({ masked }) => masked)) return nodes;
  const fieldsByNode = maskedFields(nodes);
  const byId = new Map<number, number>();
  for (const index of fieldsByNode.keys()) {
    const id = nodes[index]?.backendNodeId;
    if (id !== undefined) byId.set(id, index);
  }
  return nodes.map((node, index) => {
    const tells = (id: number): boolean =>
      fieldsByNode.get(byId.get(id) ?? -1)?.some((masked) => masked !== index || id === node.backendNodeId) === true;
    const inside = node.nameFromContent && fieldsByNode.get(index)?.some((masked) => masked !== index) === true;
    const name = inside || node.namedBy?.some(tells) === true;
    const description = node.describedBy?.some(tells) === true;
    return name || description
      ? { ...node, name: name ? '' : node.name, description: description ? undefined : node.description }
      : node;
  });
}

/** By node index: the masked fields that the node is, contains or is in. */
function maskedFields(nodes: readonly RawNode[]): Map<number, number[]> {
  const fieldsByNode = new Map<number, number[]>();
  const note = (at: number, field: number): void =>
    void (fieldsByNode.get(at)?.push(field) ?? fieldsByNode.set(at, [field]));
  const around: number[] = [];
  nodes.forEach((node, index) => {
    const field = node.masked ? index : (around[node.parent] ?? -1);
    around[index] = field;
    if (node.masked) for (let at = index; at >= 0; at = nodes[at]?.parent ?? -1) note(at, index);
    else if (field >= 0) note(index, field);
  });
  return fieldsByNode;
}
