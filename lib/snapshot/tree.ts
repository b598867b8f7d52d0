import type { IncrementalLines } from './incremental-lines';
import type { Property, PropertySource } from './properties';
import type { RawDocument } from './raw';

/** One line of a snapshot with its children. All text is cleaned; lengths are capped when printed. */
export interface SnapshotNode extends PropertySource {
  /** ARIA role, or `text`. */
  readonly role: string;
  readonly name: string;
  /** Accessible description, '' when there is none. */
  readonly description: string;
  /** The lines below contain all of the name, so it is printed only where they are left out. */
  readonly saidBelow: boolean;
  /** As printed: `checked`, `level=2`. Never page text. */
  readonly states: readonly string[];
  /** What accessibility reports about it, including unset properties, without secrets; computed on each access. */
  readonly properties: readonly Property[];
  /** `e12`; undefined for nodes that cannot be acted on or referred to. */
  readonly ref: string | undefined;
  readonly interactive: boolean;
  readonly value: string | undefined;
  readonly masked: boolean;
  readonly url: string;
  /** Index into the tree's documents. */
  readonly document: number;
  readonly backendNodeId: number | undefined;
  /** Position among those with the same role and name in the same document, from 0. */
  readonly nth: number;
  /** Position in document order of the whole page; used to find the content of an element that has no line. */
  readonly order: number;
  readonly children: readonly SnapshotNode[];
}

export interface SnapshotTree {
  readonly documents: readonly RawDocument[];
  readonly roots: readonly SnapshotNode[];
  /** What is missing and why, for people; undefined when the tree is complete. */
  readonly missing: string | undefined;
  /** Lines printed earlier for nodes that this tree shares with former trees of the page. */
  readonly lines?: IncrementalLines;
}

/** What identifies an element in its document, and names it (SN4). */
export interface ElementIdentity {
  readonly document: RawDocument;
  readonly backendNodeId: number;
  readonly role: string;
  readonly name: string;
  readonly nth: number;
}

/** Gives an element its ref, the old one when it had one. */
export type AssignRef = (element: ElementIdentity) => string;

/** Deeper lines are put at this level: no reader needs more, and a deep page must not overflow our stack. */
export const MAX_LEVEL = 60;

/** Every node in document order. */
export function* eachNode(nodes: readonly SnapshotNode[]): Generator<SnapshotNode> {
  const waiting = nodes.toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children.toReversed()) waiting.push(child);
  }
}
