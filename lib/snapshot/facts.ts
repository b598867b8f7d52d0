import type { Property } from './properties';
import type { Clickable } from './raw';

/** What the DOM pass knows about one element and accessibility does not. */
export interface DomFact {
  readonly clickable: Clickable;
  /** Its box, or its frame, is wholly outside the visible part of the document. */
  readonly offscreen: boolean;
  /** Password, one-time code or card (SN6). */
  readonly secret: boolean;
  /** Text is written in it, or chosen. */
  readonly field?: true | undefined;
  /** Laid out in the line around it. */
  readonly inline: boolean;
  /** A label that replaces a radio button or checkbox which is not rendered. */
  readonly choice: HiddenChoice | undefined;
  /**
   * For a native option: whether it can be chosen. Accessibility keeps saying `disabled` after its select was enabled
   * again (measured, docs/chrome-facts.md, Accessibility and DOM).
   */
  readonly optionOff?: boolean | undefined;
  /** ARIA properties that accessibility leaves out. */
  readonly aria?: readonly Property[] | undefined;
  /** For a frame element: the document in it. */
  readonly frameId: string | undefined;
}

export interface HiddenChoice {
  readonly role: 'radio' | 'checkbox' | 'switch';
  readonly checked: boolean;
  readonly disabled: boolean;
}

/** By backend node id. A process uses each id once, so all its frames share the map. */
export type DomFacts = ReadonlyMap<number, DomFact>;
