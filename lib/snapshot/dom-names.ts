import { attributeOf, idsOf, subtreeEnds, type DomDocument, type DomNode } from './dom-document';
import { isUnseen } from './dom-roles';
import type { DomFacts } from './facts';
import { isField } from './roles';

/** Text of a subtree is read up to here, characters. */
const SUBTREE_TEXT_LIMIT = 500;

/**
 * Accessible names from the DOM alone: labelledby, aria-label, labels, alt, title, placeholder. The builder computes
 * names from content. Source: Accessible Name and Description Computation 1.2, its common part.
 */
export class DomNames {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #ends: Int32Array;
  readonly #labels = new Map<number, string>();

  constructor(
    private readonly document: DomDocument,
    private readonly facts: DomFacts,
  ) {
    this.#ids = idsOf(document.nodes);
    this.#ends = subtreeEnds(document.nodes);
    document.nodes.forEach((node, index) => {
      if (node.tag === 'label') this.#noteLabel(node, index);
    });
  }

  /** The name that the author gave; '' when the name comes from the content. */
  nameOf(node: DomNode, index: number, role: string): string {
    const byIds = attributeOf(node, 'aria-labelledby').trim();
    const labelled = byIds === '' ? '' : this.#textOfIds(byIds);
    return (
      labelled ||
      attributeOf(node, 'aria-label').trim() ||
      this.#nativeName(node, index, role) ||
      attributeOf(node, 'title').trim() ||
      attributeOf(node, 'aria-placeholder').trim() ||
      (isField(role) ? attributeOf(node, 'placeholder').trim() : '')
    );
  }

  #nativeName(node: DomNode, index: number, role: string): string {
    const label = node.labelText ?? this.#labels.get(index) ?? '';
    if (label !== '') return label;
    if (node.tag === 'img' || node.tag === 'area') return attributeOf(node, 'alt');
    if (node.tag === 'fieldset') return this.#childText(index, 'legend');
    if (node.tag === 'table') return this.#childText(index, 'caption');
    if (node.tag === 'optgroup') return attributeOf(node, 'label');
    if (node.tag === 'option') return attributeOf(node, 'label') || this.textOf(index);
    if (node.tag !== 'input' || role !== 'button') return '';
    const type = attributeOf(node, 'type').toLowerCase();
    return attributeOf(node, type === 'image' ? 'alt' : 'value') || (DEFAULT_BUTTON[type] ?? '');
  }

  #noteLabel(label: DomNode, index: number): void {
    const target = label.attributes.get('for');
    const control = target === undefined ? this.#firstControl(index) : this.#ids.get(target);
    if (control === undefined) return;
    const text = this.textOf(index);
    const before = this.#labels.get(control);
    this.#labels.set(control, before === undefined ? text : `${before} ${text}`);
  }

  #firstControl(index: number): number | undefined {
    const { nodes } = this.document;
    for (let at = index + 1; at < (this.#ends[index] ?? 0); at += 1) {
      const node = nodes[at];
      if (node && !node.internal && LABELABLE.has(node.tag)) return at;
    }
    return undefined;
  }

  #childText(index: number, tag: string): string {
    const { nodes } = this.document;
    for (let at = index + 1; at < (this.#ends[index] ?? 0); at = this.#ends[at] ?? at + 1) {
      if (nodes[at]?.tag === tag) return this.textOf(at);
    }
    return '';
  }

  #textOfIds(ids: string): string {
    const texts = ids
      .split(/\s+/)
      .slice(0, 10)
      .map((id) => {
        const index = this.#ids.get(id);
        const node = index === undefined ? undefined : this.document.nodes[index];
        return index === undefined || !node ? '' : attributeOf(node, 'aria-label') || this.textOf(index);
      });
    return texts.filter((text) => text !== '').join(' ');
  }

  /** The text of a subtree without field values and masked content. */
  textOf(index: number): string {
    const { nodes } = this.document;
    const end = this.#ends[index] ?? 0;
    let text = '';
    for (let at = index; at < end && text.length < SUBTREE_TEXT_LIMIT; at += 1) {
      const node = nodes[at];
      if (!node) continue;
      if (this.#isSecret(node) || (at !== index && (isUnseen(node) || FIELD_TAGS.has(node.tag))))
        at = (this.#ends[at] ?? at + 1) - 1;
      else if (node.tag === '#text') text += node.text;
      else if (node.tag === 'img') text += ` ${attributeOf(node, 'alt')} `;
      else if (!node.inline) text += ' ';
    }
    return text.trim();
  }

  #isSecret({ backendNodeId }: DomNode): boolean {
    return backendNodeId !== undefined && this.facts.get(backendNodeId)?.secret === true;
  }
}

const LABELABLE = new Set(['input', 'select', 'textarea', 'button', 'meter', 'progress', 'output']);
const FIELD_TAGS = new Set(['select', 'textarea']);
const DEFAULT_BUTTON: Readonly<Record<string, string>> = {
  submit: 'Submit',
  reset: 'Reset',
  file: 'Choose file',
  image: 'Submit',
};
