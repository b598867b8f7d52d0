import type { RecordedInput, TargetElement } from '@/lib/input-recorder/target-element';
import type { InputEvent } from '@/lib/protocol/input';
import type { FocusRead, KnownFocus } from './focus-reads';

/** Characters of one event's text that are held until it is known where it went. */
const MOST_HELD = 2_000;
/** Looks at the focus that fail for one event; then it can never be known. */
const MOST_FAILED = 3;

/** One raw event between its arrival and its folding: what is known of where it went, so far. */
export class PendingInput {
  readonly #event: InputEvent;
  readonly #at = Date.now();
  readonly #more: number;
  #seen: TargetElement | undefined;
  #open = true;
  #secret = false;
  #landed = false;
  #lost = false;
  /** A look at what it was aimed at is under way. */
  #looking = false;
  /** Looks at the focus with a higher number count. */
  #base = 0;
  /** The look that ends it, once it has landed. */
  #until: number | undefined;
  #sure = false;
  /** Nothing was known of the focus when it came: the newest look says best where a character went. */
  #late = false;
  /** The first that was seen. */
  #before: TargetElement | undefined;
  #failed = 0;

  constructor(event: InputEvent) {
    this.#event = 'text' in event ? { ...event, text: event.text.slice(0, MOST_HELD) } : event;
    this.#more = 'text' in event ? Math.max(0, event.text.length - MOST_HELD) : 0;
  }

  /** Keys and text go to the focus. */
  get typed(): boolean {
    return this.#event.type === 'keydown' || this.#event.type === 'text' || this.#event.type === 'paste';
  }

  /** Chrome was never given it. */
  get lost(): boolean {
    return this.#lost;
  }

  /** A secret field had the focus when it came, or right after. */
  get secret(): boolean {
    return this.typed && this.#secret;
  }

  get ready(): boolean {
    return this.#lost || (this.#landed && !this.#looking && (!this.typed || !this.#open || this.#sure));
  }

  lose(): void {
    this.#lost = true;
  }

  /** @param until the look at the focus that began after it landed; for what is typed */
  land(until: number | undefined): void {
    this.#landed = true;
    this.#until = until;
  }

  /** Counts looks from `floor` on, and the last one where there is one. */
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

  /** It was landed, and waits for a look at the focus. */
  get unsure(): boolean {
    return this.typed && this.#landed && !this.#lost && !this.#sure;
  }

  /**
   * Of all looks from before it until after it, none may have seen a secret; where one failed, the same field must be
   * seen before and after (SN6).
   */
  read({ number, seen }: FocusRead): void {
    if (!this.typed || number <= this.#base || this.#sure) return;
    const after = this.#until !== undefined && number >= this.#until;
    if (seen === undefined) return this.#fail(after);
    if (after && this.#failed > 0 && this.#before?.mark !== seen.mark) this.#open = false;
    this.#saw(seen);
    this.#sure = after;
  }

  /** Given up or done: what is not sure is not shown. */
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
