import type { InputEvent } from '@/lib/protocol/input';

/**
 * Names an element so that an action finds it again: role and name, with `nth` where a snapshot counted it, or a
 * selector that fits it alone.
 */
export type Locator =
  | { readonly role: string; readonly name: string; readonly nth?: number; readonly frame?: string }
  | { readonly selector: string; readonly frame?: string };

/** An element at the time a person used it. Its texts come from the page, cleaned and bounded. */
export interface TargetElement {
  /** Identifies the element while its document lives. */
  readonly mark: string;
  readonly role: string;
  readonly name: string;
  /** The ref that a snapshot gave it. */
  readonly ref?: string | undefined;
  /** Undefined when only a point can name it. */
  readonly locator: Locator | undefined;
  /** Whether it holds a password, a one-time code or a card number (SN6). */
  readonly secret: boolean;
  /** Takes typed text. */
  readonly editable: boolean;
  /** The field was empty at that time. */
  readonly empty: boolean;
}

/** One raw event of a person, with the element it went to if that is known (CO11). */
export interface RecordedInput {
  /** Milliseconds since 1970, for showing. */
  readonly at: number;
  readonly event: InputEvent;
  /**
   * The element under the point of a press or release, or the focused element for keys; undefined where the page did
   * not report it.
   */
  readonly seen: TargetElement | undefined;
  /**
   * For keys and text: the focus was in one field before and after, and that field holds no secret. Otherwise the text
   * is not kept.
   */
  readonly open: boolean;
  /** Characters of its text that are not in `event`. */
  readonly more?: number;
}
