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
  /** The one a snapshot gave it. */
  readonly ref?: string | undefined;
  /** Undefined when only the point is left to name it by. */
  readonly locator: Locator | undefined;
  /** A password, a one-time code or a card (SN6). */
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
   * What lay under the point of a press or release, or had the focus when keys came; undefined where the page did not
   * tell.
   */
  readonly seen: TargetElement | undefined;
  /**
   * Of keys and text: before and after them the focus was in one field, and that holds no secret. Else the text is not
   * kept.
   */
  readonly open: boolean;
  /** Characters of its text that are not in `event`. */
  readonly more?: number;
}
