import type { DocumentStyles } from './styles';
import type { DocumentPlaces } from './places';
import type { DocumentWatch } from './watch';

/** One element of a changed part, for the DOM facts; short keys, since there may be hundreds. */
export interface PartRow {
  /** The number by which server and page identify it. */
  k: number;
  /** Index of the parent's row, -1 for the first. */
  p: number;
  t: string;
  /** Sum of `LOOKS`. */
  f: number;
  /** Attributes from which facts are computed, truncated. */
  a: Record<string, string>;
  /** Left, top, width, height in the window; absent without a box. */
  b?: number[];
  /**
   * Index into the elements that are returned with the JSON; present for elements that the server does not know yet.
   */
  e?: number;
}

/** A part of the document that has to be read again. */
export interface DocumentPart {
  /** Whether its descendants changed too. */
  deep: boolean;
  /** Numbers of its ancestors, the nearest first. */
  up: number[];
  /** Whether its parent has a pointer cursor, and whether its parent is editable. */
  pointed: boolean;
  editable: boolean;
  /** Whether it is not rendered at all, so that accessibility does not have it. */
  hidden: boolean;
  rows: PartRow[];
  /** Form controls outside of the part whose labels are in it. */
  controls: PartRow[];
}

/**
 * The bits of a row's `f`. The class below is sent into pages, where this table is not available, so it uses the
 * numbers. `deaf`: disabled and without reaction to clicks.
 */
export const LOOKS = { visible: 1, pointer: 2, inline: 4, listens: 8, checked: 16, deaf: 32, dots: 64 } as const;

/**
 * Lists the parts that have to be read again. Sent into pages as source text: uses only its own members and its
 * arguments.
 */
export class DocumentParts {
  readonly #watch: DocumentWatch;
  readonly #places: DocumentPlaces;
  readonly #looks: DocumentStyles;
  /** Elements that the server does not know yet. */
  travellers: Element[] = [];
  #left = 0;

  constructor(watch: DocumentWatch, places: DocumentPlaces, looks: DocumentStyles) {
    this.#watch = watch;
    this.#places = places;
    this.#looks = looks;
  }

  /** The touched elements that are not inside others, as parts of at most `maxRows` elements together. */
  list(maxRows: number): DocumentPart[] {
    this.travellers = [];
    this.#left = maxRows;
    const parts: DocumentPart[] = [];
    for (const [element, kind] of this.#watch.touched) {
      if (this.#isBelowChanged(element.parentNode)) continue;
      if (this.#isSilenced(element)) this.#watch.lost = 'something changed of which accessibility says nothing';
      parts.push(this.#part(element, kind === 2));
      if (this.#left < 0) break;
    }
    if (this.#left < 0) this.#watch.lost = 'too much changed';
    return parts;
  }

  #isBelowChanged(node: Node | null): boolean {
    for (let at = node; at; at = at instanceof ShadowRoot ? at.host : at.parentNode)
      if (at instanceof Element && this.#watch.touched.get(at) === 2) return true;
    return false;
  }

  /**
   * Whether the element is inside an `aria-hidden` or inert one: accessibility adds and removes such nodes by rules of
   * their own.
   */
  #isSilenced(element: Element): boolean {
    for (let at: Element | null = element; at; at = this.#around(at)) {
      if (at.matches('[aria-hidden="true" i], [inert]')) return true;
      if (at.matches(':modal')) return false;
    }
    return document.querySelector(':modal') !== null;
  }

  #part(element: Element, deep: boolean): DocumentPart {
    const rows: PartRow[] = [];
    const up: number[] = [];
    const hidden = this.#isHidden(element);
    for (let at = this.#around(element), depth = 0; at; at = this.#around(at), depth += 1) {
      if (depth > 100) this.#watch.lost = 'too deep a change';
      if (!hidden || !this.#isHidden(at)) up.push(this.#watch.register(at));
    }
    const controls: PartRow[] = [];
    this.#addRows(rows, controls, element, -1, deep);
    return {
      deep,
      up,
      pointed: this.#pointed(this.#around(element)),
      editable: this.#editable(this.#around(element)),
      hidden,
      rows,
      controls,
    };
  }

  #around(element: Element): Element | null {
    const { parentNode } = element;
    return parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement;
  }

  #addRows(rows: PartRow[], controls: PartRow[], element: Element, parent: number, deep: boolean): void {
    this.#left -= 1;
    if (this.#left < 0) return;
    const own = rows.push(this.#row(element, parent)) - 1;
    const control =
      element instanceof HTMLLabelElement
        ? element.hasAttribute('for')
          ? element.control
          : element.querySelector('input')
        : null;
    if (control && !(deep && element.contains(control)))
      controls.push(this.#row(control, element.hasAttribute('for') ? -1 : own));
    if (!deep) return;
    this.#refuse(element);
    const shadow = this.#watch.openRoot(element);
    if (shadow) for (const child of Array.from(shadow.children)) this.#addRows(rows, controls, child, own, deep);
    for (const child of Array.from(element.children)) this.#addRows(rows, controls, child, own, deep);
  }

  /** Requires a full reading for elements whose content scripts cannot see. */
  #refuse(element: Element): void {
    if (/^(?:iframe|frame|object|embed)$/.test(element.localName)) this.#watch.lost = 'a frame is in what changed';
    if (/^(?:video|audio)$/.test(element.localName)) this.#watch.lost = 'a player is in what changed';
    if (
      element instanceof HTMLInputElement &&
      /^(?:date|time|datetime-local|month|week|number|range|color|file)$/.test(element.type)
    )
      this.#watch.lost = 'a field with parts of its own is in what changed';
    if (this.#looks.hasGeneratedBox(element)) this.#watch.lost = 'a style sheet makes content in what changed';
  }

  #row(element: Element, parent: number): PartRow {
    const known = this.#watch.keys.has(element);
    const key = this.#watch.register(element);
    this.#looks.note(element);
    const row: PartRow = {
      k: key,
      p: parent,
      t: element.localName.toLowerCase(),
      f: this.#flags(element),
      a: this.#attributes(element),
    };
    if (!known) row.e = this.travellers.push(element) - 1;
    if (element.checkVisibility()) row.b = this.#places.note(element, this.#around(element));
    return row;
  }

  #flags(element: Element): number {
    const checked = element instanceof HTMLInputElement && element.checked ? 16 : 0;
    return this.#appearance(element) + checked + (element.matches(':disabled') ? 32 : this.#byNature(element) ? 8 : 0);
  }

  /**
   * The bits of the element's style. An element without a box counts as inline and nothing else, as in `DOMSnapshot`,
   * which gives no styles for it.
   */
  #appearance(element: Element): number {
    if (!element.checkVisibility()) return 4;
    const style = getComputedStyle(element);
    return (
      (style.visibility === 'visible' ? 1 : 0) +
      (style.cursor === 'pointer' ? 2 : 0) +
      (style.display.startsWith('inline') ? 4 : 0) +
      (/^(?:none)?$/.test(style.getPropertyValue('-webkit-text-security')) ? 0 : 64)
    );
  }

  /** Whether Chrome reports the element as clickable with or without listeners. */
  #byNature(element: Element): boolean {
    return (
      /^(?:a|area)$/.test(element.localName) && (element.hasAttribute('href') || element.hasAttribute('xlink:href'))
    );
  }

  #attributes(element: Element): Record<string, string> {
    const found: Record<string, string> = {};
    for (const name of [
      'type',
      'autocomplete',
      'name',
      'id',
      'tabindex',
      'contenteditable',
      'for',
      'role',
      'disabled',
      'aria-disabled',
      'href',
      'aria-valuetext',
      'aria-posinset',
      'aria-setsize',
      'aria-sort',
    ]) {
      const value = element.getAttribute(name);
      if (value !== null) found[name] = value.slice(0, 200);
    }
    return found;
  }

  /** Whether the cursor over an element is a pointer; elements without a box inherit it. */
  #pointed(element: Element | null): boolean {
    for (let at = element; at; at = this.#around(at)) {
      if (at.checkVisibility({ visibilityProperty: true })) return getComputedStyle(at).cursor === 'pointer';
    }
    return false;
  }

  #editable(element: Element | null): boolean {
    for (let at = element; at; at = this.#around(at)) {
      const given = at.getAttribute('contenteditable');
      if (given !== null) return given.toLowerCase() !== 'false';
    }
    return false;
  }

  #isHidden(element: Element): boolean {
    return !element.checkVisibility() && getComputedStyle(element).display !== 'contents';
  }
}
