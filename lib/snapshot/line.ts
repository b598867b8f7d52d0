import type { DomBox } from './dom-document';

export interface PrintedRef {
  /** As printed, with the label of its subframe: `f1e12`. */
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** CSS pixels of the viewport, when asked for and when it has one. */
  readonly box?: DomBox;
}

/** One printed line, without its line end. */
export interface PrintedLine {
  readonly text: string;
  readonly level: number;
  readonly interactive: boolean;
  readonly ref: PrintedRef | undefined;
}
