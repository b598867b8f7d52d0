import { sleep } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';

/**
 * A dialog this soon after the last one, without an action in between, belongs to the same row; longer than Chrome on a
 * busy machine takes between two dialogs of a loop. Milliseconds.
 */
const BREATH_MS = 1_500;
/** The most dialogs in a row that are shown. */
const MOST = 5;

/** Counts the dialogs that one page opens in a row, to stop a page that opens them in a loop (F6). */
export class DialogStreak {
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** Counts one dialog; true when it exceeds MOST. */
  opened(): boolean {
    if (this.#rests()) this.#count = 0;
    this.#count += 1;
    this.closed();
    return this.#count > MOST;
  }

  closed(): void {
    this.#last = this.clock.now();
  }

  /** Resets the count when somebody acts on the page, because the next dialog then answers that action. */
  interrupted(): void {
    this.#count = 0;
  }

  /** Settles when the page has opened no dialog for BREATH_MS. */
  async over(): Promise<void> {
    while (!this.#rests()) await sleep(this.clock, BREATH_MS);
    this.interrupted();
  }

  #rests(): boolean {
    return this.clock.now() - this.#last >= BREATH_MS;
  }
}
