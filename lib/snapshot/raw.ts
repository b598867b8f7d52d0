import type { AxProperties, Property } from './properties';

/** The common form of both sources (accessibility, DOM), from which snapshots are built. */

/** One document of the page: the main one, or a subframe. */
export interface RawDocument {
  readonly frameId: string;
  readonly loaderId: string;
  /** '' for the main document, `f1`, `f2`… for subframes (SN4). */
  readonly label: string;
}

/**
 * Why an element without a role may be clickable: its cursor is a pointer, a script listens for clicks on it, or the
 * Tab key stops at it. Source: computed `cursor`, `DOMSnapshot` `isClickable`, `tabindex`.
 */
export type Clickable = 'no' | 'pointer' | 'listener' | 'focus';

export interface RawNode {
  /** Index of the parent in the list, always smaller than the own one; -1 for a root. */
  readonly parent: number;
  /** Index of the document it belongs to. */
  readonly document: number;
  readonly kind: 'element' | 'wrapper' | 'text' | 'space';
  /** ARIA role, '' for text. */
  readonly role: string;
  /** Page text as it came: accessible name, or the text itself. */
  readonly name: string;
  /** Accessible description, page text as it came. */
  readonly description?: string | undefined;
  /** Backend ids of other elements that the name, or the description, is made of. */
  readonly namedBy?: readonly number[] | undefined;
  readonly describedBy?: readonly number[] | undefined;
  /** The name is computed from its content, which therefore may be shown once only. */
  readonly nameFromContent: boolean;
  /** For wrappers: text in it belongs to the surrounding line. */
  readonly inline: boolean;
  /** Nothing inside is shown: the content of a text field is its value. */
  readonly leaf: boolean;
  /** Text of a label whose control carries the same words as its name. */
  readonly label: boolean;
  /** In the order of SN2, as printed: `checked`, `level=2`. Never page text. */
  readonly states: readonly string[];
  readonly value: string | undefined;
  /** The value must not be shown (SN6); it is printed as `[value=masked]`. */
  readonly masked: boolean;
  readonly url: string;
  readonly backendNodeId: number | undefined;
  readonly clickable: Clickable;
  /** What accessibility reports about it, for the views that print every property; page text as it came. */
  readonly ax?: AxProperties | undefined;
  /** Attributes that accessibility leaves out, read from the DOM. */
  readonly aria?: readonly Property[] | undefined;
}

export interface RawTree {
  readonly documents: readonly RawDocument[];
  readonly nodes: readonly RawNode[];
  /** Set when nodes were left out because there were too many. */
  readonly overflow: boolean;
}

/** Further nodes are not read; 20 000 elements have about 45 000. */
export const MAX_RAW_NODES = 150_000;
