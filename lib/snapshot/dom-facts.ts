import { attributeOf, idsOf, overlaps, subtreeEnds, type DomDocument, type DomNode } from './dom-document';
import type { DomFact, DomFacts, HiddenChoice } from './facts';
import { ariaOf } from './properties';
import type { Clickable } from './raw';
import { isSecretField } from './secret';

/** Collects what only the DOM knows about each element of the given documents (SN1, SN6). */
export function domFacts(documents: readonly DomDocument[]): DomFacts {
  const facts = new Map<number, DomFact>();
  const hidden = new Set<number>();
  documents.forEach((document, index) => {
    new FactFinder(documents, document, hidden.has(index), hidden).collect(facts);
  });
  return facts;
}

/**
 * How many frames in view of the reader's documents hold a document of another process, which is read by a session of
 * its own or not at all.
 */
export function foreignFrames(documents: readonly DomDocument[]): number {
  const isForeign = (node: DomNode): boolean =>
    (node.tag === 'iframe' || node.tag === 'frame') && node.visible && node.contentDocument === undefined;
  return documents.reduce((count, document) => count + document.nodes.filter(isForeign).length, 0);
}

/** Elements that react to clicks by nature, or whose listeners do not mean that they do. */
const NOT_BY_LISTENER = new Set([
  'html',
  'body',
  'label',
  'input',
  'select',
  'textarea',
  'option',
  'summary',
  'frame',
  'iframe',
  '#document',
]);
const NEVER_POINTED = new Set(['html', 'body', 'label', 'option', '#document']);

function plain(offscreen: boolean, inline: boolean): DomFact {
  return { clickable: 'no', offscreen, secret: false, inline, choice: undefined, frameId: undefined };
}

/** Most elements have no facts but offscreen and inline: they share these objects. */
const PLAIN: readonly (readonly DomFact[])[] = [false, true].map((offscreen) =>
  [false, true].map((inline) => plain(offscreen, inline)),
);

const NO_TEXT = /^(?:button|submit|reset|image|file|checkbox|radio|hidden)$/i;

/** The same rule as `PageHidden` in the page; an editor is the element with the attribute. */
function holdsText(node: DomNode): boolean {
  if (node.tag === 'input') return !NO_TEXT.test(attributeOf(node, 'type'));
  return (
    node.tag === 'textarea' ||
    node.tag === 'select' ||
    (attributeOf(node, 'contenteditable').toLowerCase() !== 'false' && node.attributes.has('contenteditable'))
  );
}

/** Tags whose ARIA attributes are read even without a `role` attribute. */
const SAYS_MORE = new Set(['li', 'option', 'tr', 'td', 'th', 'input']);

class FactFinder {
  readonly #editable: Uint8Array;
  readonly #pointed: Uint8Array;
  #ids: ReadonlyMap<string, number> | undefined;
  #ends: Int32Array | undefined;
  readonly #away: Uint8Array;

  /** `hidden` collects the documents whose frame element is out of view. */
  constructor(
    private readonly documents: readonly DomDocument[],
    private readonly document: DomDocument,
    private readonly outOfView: boolean,
    private readonly hidden: Set<number>,
  ) {
    this.#editable = new Uint8Array(document.nodes.length);
    this.#pointed = new Uint8Array(document.nodes.length);
    this.#away = new Uint8Array(document.nodes.length);
  }

  collect(facts: Map<number, DomFact>): void {
    this.document.nodes.forEach((node, index) => {
      this.#inherit(node, index);
      const { backendNodeId } = node;
      if (backendNodeId !== undefined && !node.tag.startsWith('#')) facts.set(backendNodeId, this.#fact(node, index));
    });
  }

  #inherit(node: DomNode, index: number): void {
    const attribute = node.attributes.get('contenteditable');
    const on = attribute === undefined ? this.#editable[node.parent] === 1 : attribute.toLowerCase() !== 'false';
    this.#editable[index] = on ? 1 : 0;
    const bare = node.tag.startsWith('#') || !node.visible;
    this.#pointed[index] = bare ? (this.#pointed[node.parent] ?? 0) : Number(node.pointer);
    // Nodes inside a field's own shadow root count as where the field is.
    this.#away[index] =
      node.internal || node.tag.startsWith('#') ? (this.#away[node.parent] ?? 0) : Number(this.#offscreen(node));
  }

  #fact(node: DomNode, index: number): DomFact {
    const { tag, inline } = node;
    const offscreen = this.#away[index] === 1;
    const clickable = node.internal ? 'no' : this.#clickable(node, index);
    const secret = this.#isSecret(node);
    const choice = tag === 'label' ? this.#hiddenChoice(node, index) : undefined;
    const inner = tag === 'iframe' || tag === 'frame' || tag === 'object' ? node.contentDocument : undefined;
    const aria =
      SAYS_MORE.has(tag) || node.attributes.has('role') ? ariaOf((name) => node.attributes.get(name)) : undefined;
    const more = aria ? { aria } : {};
    if (tag === 'option') return { ...plain(offscreen, inline), clickable, optionOff: this.#isOff(node), ...more };
    const field = holdsText(node);
    if (clickable === 'no' && !secret && !field && !choice && inner === undefined && !aria)
      return PLAIN[Number(offscreen)]?.[Number(inline)] ?? plain(offscreen, inline);
    if (offscreen && inner !== undefined) this.hidden.add(inner);
    return {
      clickable,
      offscreen,
      secret,
      inline,
      choice,
      frameId: inner === undefined ? undefined : this.documents[inner]?.frameId,
      ...(field ? { field } : {}),
      ...more,
    };
  }

  /** By its attributes, or because CSS draws its text as dots. What its name says, readers of the name judge. */
  #isSecret(node: DomNode): boolean {
    const { tag } = node;
    if (tag === 'select' || (tag !== 'input' && !holdsText(node))) return false;
    return isSecretField((name) => attributeOf(node, name)) || (node.dots && holdsText(node));
  }

  #offscreen(node: DomNode): boolean {
    if (this.outOfView) return true;
    const { viewport } = this.document;
    return viewport !== undefined && node.box !== undefined && !overlaps(node.box, viewport);
  }

  /** Whether the option or its group is disabled. A disabled select is marked on its own line. */
  #isOff(option: DomNode): boolean {
    const around = this.document.nodes[option.parent];
    return (
      option.attributes.has('disabled') ||
      attributeOf(option, 'aria-disabled') === 'true' ||
      (around?.tag === 'optgroup' && around.attributes.has('disabled'))
    );
  }

  /** `cursor` is inherited: only the outermost element with a pointer is meant. */
  #clickable(node: DomNode, index: number): Clickable {
    if (this.#editable[index] === 1 || !node.visible) return 'no';
    if (this.#pointed[index] === 1 && this.#pointed[node.parent] !== 1 && !NEVER_POINTED.has(node.tag))
      return 'pointer';
    if (node.listens && !NOT_BY_LISTENER.has(node.tag)) return 'listener';
    const tabIndex = attributeOf(node, 'tabindex');
    return /^\s*\+?\d+\s*$/.test(tabIndex) ? 'focus' : 'no';
  }

  #hiddenChoice(label: DomNode, index: number): HiddenChoice | undefined {
    if (!label.visible) return undefined;
    const control = this.#labelled(label, index);
    if (!control || control.tag !== 'input' || control.visible) return undefined;
    const type = attributeOf(control, 'type').toLowerCase();
    if (type !== 'radio' && type !== 'checkbox') return undefined;
    const role = type === 'checkbox' && attributeOf(control, 'role') === 'switch' ? 'switch' : type;
    return { role, checked: control.checked, disabled: control.attributes.has('disabled') };
  }

  #labelled(label: DomNode, index: number): DomNode | undefined {
    const { nodes } = this.document;
    const target = label.attributes.get('for');
    if (target !== undefined) {
      this.#ids ??= idsOf(nodes);
      return nodes[this.#ids.get(target) ?? -1];
    }
    this.#ends ??= subtreeEnds(nodes);
    return nodes.slice(index + 1, this.#ends[index]).find((node) => node.tag === 'input' && !node.internal);
  }
}
