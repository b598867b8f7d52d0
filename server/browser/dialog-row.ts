import { sleep } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';

/**
 * A page that opens a dialog this soon after the last answer, with no action in between, counts as looping; longer than
 * Chrome on a full machine takes between two dialogs of one loop. Milliseconds.
 */
const BREATH_MS = 1_500;
/** So many dialogs in a row are shown to people and agents. */
const MOST = 5;

/** The dialogs of one page that follow one another without a breath between: a page may ask, but not for ever (F6). */
export class DialogRow {
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** Counts one more; true when it is one too many. */
  opened(): boolean {
    if (this.#rests()) this.#count = 0;
    this.#count += 1;
    this.closed();
    return this.#count > MOST;
  }

  closed(): void {
    this.#last = this.clock.now();
  }

  /** Somebody does something with the page: what it asks then is an answer to that. */
  interrupted(): void {
    this.#count = 0;
  }

  /** Settles when the page has drawn breath. */
  async over(): Promise<void> {
    while (!this.#rests()) await sleep(this.clock, BREATH_MS);
    this.interrupted();
  }

  #rests(): boolean {
    return this.clock.now() - this.#last >= BREATH_MS;
  }
}
