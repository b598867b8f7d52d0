import type { RecordedInput, TargetElement } from '@/lib/input-recorder/target-element';
import type { InputEvent } from '@/lib/protocol/input';
import type { FocusRead, KnownFocus } from './focus-reads';

/** Most characters of one event's text that are kept until its target is known. */
const MOST_HELD = 2_000;
/** Number of failed focus reads after which the target of a landed event counts as unknown. */
const MOST_FAILED = 3;

/** One raw event between its arrival and its folding into an action, with what is known of its target. */
export class PendingInput {
  readonly #event: InputEvent;
  readonly #at = Date.now();
  readonly #more: number;
  #seen: TargetElement | undefined;
  #open = true;
  #secret = false;
  #landed = false;
  #lost = false;
  /** A read of the element under the pointer is running. */
  #looking = false;
  /** Only focus reads with a higher number count. */
  #base = 0;
  /** Number of the focus read that decides its target, once it has landed. */
  #until: number | undefined;
  #sure = false;
  /** The focus was unknown when the event came: the newest read is then the best guess of where a character went. */
  #late = false;
  /** The first focused element that was read. */
  #before: TargetElement | undefined;
  #failed = 0;

  constructor(event: InputEvent) {
    this.#event = 'text' in event ? { ...event, text: event.text.slice(0, MOST_HELD) } : event;
    this.#more = 'text' in event ? Math.max(0, event.text.length - MOST_HELD) : 0;
  }

  /** True for keys and text, which go to the focused element. */
  get typed(): boolean {
    return this.#event.type === 'keydown' || this.#event.type === 'text' || this.#event.type === 'paste';
  }

  /** The event was not delivered to Chrome. */
  get lost(): boolean {
    return this.#lost;
  }

  /** A focus read before or right after the event found a secret field. */
  get secret(): boolean {
    return this.typed && this.#secret;
  }

  get ready(): boolean {
    return this.#lost || (this.#landed && !this.#looking && (!this.typed || !this.#open || this.#sure));
  }

  lose(): void {
    this.#lost = true;
  }

  /** @param until number of the focus read that began after a typed event landed */
  land(until: number | undefined): void {
    this.#landed = true;
    this.#until = until;
  }

  /** Sets which focus reads count: those after the last known one, or else after number `floor`. */
  startAt(last: KnownFocus | undefined, floor: number): void {
    this.#base = last?.number ?? floor;
    this.#late = last === undefined && !this.#isNamedKey;
    if (last) this.#saw(last.seen);
  }

  async lookAt(look: Promise<TargetElement | undefined>): Promise<void> {
    this.#looking = true;
    this.#seen = await look;
    this.#looking = false;
  }

  /** The event has landed and waits for a focus read. */
  get unsure(): boolean {
    return this.typed && this.#landed && !this.#lost && !this.#sure;
  }

  /**
   * Takes a focus read into account. The text is kept only if no read from before until after the event found a secret
   * field; if one failed, the reads before and after must find the same field (SN6).
   */
  read({ number, seen }: FocusRead): void {
    if (!this.typed || number <= this.#base || this.#sure) return;
    const after = this.#until !== undefined && number >= this.#until;
    if (seen === undefined) return this.#fail(after);
    if (after && this.#failed > 0 && this.#before?.mark !== seen.mark) this.#open = false;
    this.#saw(seen);
    this.#sure = after;
  }

  /** The event for folding. Its text is shown only if its target is certain. */
  item(): RecordedInput {
    return { at: this.#at, event: this.#event, seen: this.#seen, open: this.#open && this.#sure, more: this.#more };
  }

  get landed(): boolean {
    return this.#landed;
  }

  get #isNamedKey(): boolean {
    return this.#event.type === 'keydown' && [...this.#event.key].length > 1;
  }

  #fail(after: boolean): void {
    this.#failed += 1;
    if (!after || this.#failed < MOST_FAILED) return;
    this.#open = false;
    this.#sure = true;
  }

  #saw(seen: TargetElement): void {
    this.#before ??= seen;
    this.#seen = this.#late ? seen : (this.#seen ?? seen);
    if (!seen.secret) return;
    this.#open = false;
    this.#secret = true;
  }
}
