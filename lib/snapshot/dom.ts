import { attributeOf, type DomDocument, type DomNode } from './dom-document';
import { DomNames } from './dom-names';
import { domRole, domStates, isUnseen } from './dom-roles';
import type { DomFact, DomFacts } from './facts';
import { MAX_RAW_NODES, type RawDocument, type RawNode, type RawTree } from './raw';
import { isField, isNamedByContent, isShownWhenNamed } from './roles';
import { soundsSecret } from './secret';

/** A document of the DOM pass with the identity its refs get. */
export interface DomSource extends RawDocument {
  readonly dom: DomDocument;
}

/**
 * The snapshot's source when accessibility fails or would cost too much: the same form, from the DOM alone (SN1). The
 * main document first.
 */
export function rawFromDom(sources: readonly DomSource[], facts: DomFacts): RawTree {
  const nodes: RawNode[] = [];
  const entered = new Set<number>();
  const enter = (document: number, parent: number): void => {
    const source = sources[document];
    if (!source || entered.has(document) || entered.size > MAX_FRAMES) return;
    entered.add(document);
    new DomReader(sources, document, facts, nodes, enter).read(source.dom, parent);
  };
  enter(0, -1);
  return { documents: sources, nodes, overflow: nodes.length >= MAX_RAW_NODES };
}

/** Frames inside frames cost a level of the stack each. */
const MAX_FRAMES = 200;
const SKIPPED = -2;

class DomReader {
  /** For each DOM node its index in the common form; SKIPPED if it is left out with its content. */
  readonly #places: number[] = [];

  constructor(
    private readonly sources: readonly DomSource[],
    private readonly document: number,
    private readonly facts: DomFacts,
    private readonly out: RawNode[],
    private readonly enter: (document: number, parent: number) => void,
  ) {}

  read(dom: DomDocument, root: number): void {
    const names = new DomNames(dom, this.facts);
    dom.nodes.forEach((node, index) => {
      const parent = node.parent < 0 ? root : (this.#places[node.parent] ?? SKIPPED);
      this.#places[index] =
        parent === SKIPPED || this.out.length >= MAX_RAW_NODES ? SKIPPED : this.#place(node, index, parent, names);
    });
  }

  #place(node: DomNode, index: number, parent: number, names: DomNames): number {
    if (node.tag === '#text') return node.visible ? this.#push(this.#text(node, parent)) : SKIPPED;
    if (node.tag.startsWith('#')) return parent;
    if (isUnseen(node)) return SKIPPED;
    if (node.tag === 'br') return this.#push({ ...this.#text(node, parent), kind: 'space' });
    const fact = node.backendNodeId === undefined ? undefined : this.facts.get(node.backendNodeId);
    const made = this.#push(this.#element(node, index, parent, names, fact));
    if (fact?.frameId !== undefined) {
      const inner = this.sources.findIndex((source) => source.frameId === fact.frameId);
      if (inner > 0) this.enter(inner, made);
    }
    return made;
  }

  #push(node: RawNode): number {
    return this.out.push(node) - 1;
  }

  #text(node: DomNode, parent: number): RawNode {
    return {
      parent,
      document: this.document,
      kind: 'text',
      role: '',
      name: node.text,
      nameFromContent: false,
      inline: true,
      leaf: false,
      label: false,
      states: [],
      value: undefined,
      masked: false,
      url: '',
      backendNodeId: undefined,
      clickable: 'no',
    };
  }

  #element(node: DomNode, index: number, parent: number, names: DomNames, fact: DomFact | undefined): RawNode {
    const shown = this.#shownRole(node);
    const editor = node.tag !== 'select' && isSecret(fact, () => names.nameOf(node, index, shown || 'textbox'));
    const role = fact?.choice?.role ?? (shown || (editor ? 'textbox' : ''));
    const name = role === '' || fact?.choice ? '' : names.nameOf(node, index, role);
    const secret = editor || fact?.secret === true;
    const element = role !== '' && (name !== '' || !isShownWhenNamed(role));
    const states = fact?.choice
      ? [...(fact.choice.checked ? ['checked'] : []), ...(fact.choice.disabled ? ['disabled'] : [])]
      : domStates(node, role, this.sources[this.document]?.dom.nodes[node.parent], fact?.optionOff);
    if (fact?.offscreen === true) states.push('offscreen');
    return {
      parent,
      document: this.document,
      kind: element ? 'element' : 'wrapper',
      role,
      name,
      nameFromContent: isNamedByContent(role) && name === '',
      inline: node.inline,
      leaf: editor || isTyped(node, role),
      label: node.tag === 'label' && !fact?.choice,
      states,
      value: element ? valueOf(node, role, secret) : undefined,
      masked: secret,
      url: role === 'link' ? attributeOf(node, 'href') : '',
      backendNodeId: node.backendNodeId,
      clickable: fact?.clickable ?? 'no',
      aria: fact?.aria,
    };
  }

  /**
   * Elements without a box are not shown, but their content may be. Options are: they have no box while their list is
   * closed.
   */
  #shownRole(node: DomNode): string {
    return node.visible || node.tag === 'option' || node.tag === 'optgroup' ? domRole(node) : '';
  }
}

/** Whether the DOM pass or the name of the field says so. */
function isSecret(fact: DomFact | undefined, name: () => string): boolean {
  return fact?.secret === true || (fact?.field === true && soundsSecret(name()));
}

/** Whether its content is its value. An editable region shows its content instead. */
function isTyped(node: DomNode, role: string): boolean {
  return node.tag === 'input' || node.tag === 'textarea' || role === 'slider' || role === 'spinbutton';
}

/** An empty secret field shows that it is empty. */
function valueOf(node: DomNode, role: string, secret: boolean): string | undefined {
  if (!isField(role) && role !== 'progressbar' && role !== 'meter') return undefined;
  const value = node.value ?? node.attributes.get('value') ?? attributeOf(node, 'aria-valuenow');
  return value === '' && !(secret && isTyped(node, role)) ? undefined : value;
}
