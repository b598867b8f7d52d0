import type { FoldItem, Seen } from '@/lib/fold/seen';
import type { InputEvent } from '@/lib/protocol/input';
import type { FocusRead } from './focus-reads';

/** Characters of one event's text that are held until it is known where it went. */
const MOST_HELD = 2_000;

/** One raw event between its arrival and its folding: what is known of where it went, so far. */
export class Entry {
  readonly #event: InputEvent;
  readonly #at = Date.now();
  readonly #more: number;
  #seen: Seen | undefined;
  #open = true;
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
  startAt(last: FocusRead | undefined, floor: number): void {
    this.#base = last?.number ?? floor;
    this.#late = last === undefined && !this.#isNamedKey;
    if (last) this.#saw(last.seen);
  }

  async lookAt(look: Promise<Seen | undefined>): Promise<void> {
    this.#looking = true;
    this.#seen = await look;
    this.#looking = false;
  }

  /** Of all looks from before it until after it, none may have seen a secret, or nothing at all (SN6). */
  read({ number, seen }: FocusRead): void {
    if (!this.typed || number <= this.#base || this.#sure) return;
    this.#saw(seen);
    this.#sure = this.#until !== undefined && number >= this.#until;
  }

  /** Given up or done: what is not sure is not shown. */
  item(): FoldItem {
    return { at: this.#at, event: this.#event, seen: this.#seen, open: this.#open && this.#sure, more: this.#more };
  }

  get landed(): boolean {
    return this.#landed;
  }

  get #isNamedKey(): boolean {
    return this.#event.type === 'keydown' && [...this.#event.key].length > 1;
  }

  #saw(seen: Seen | undefined): void {
    this.#seen = this.#late ? (seen ?? this.#seen) : (this.#seen ?? seen);
    if (seen === undefined || seen.secret) this.#open = false;
  }
}
