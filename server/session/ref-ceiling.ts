import type { RefTable } from '@/server/browser/refs';

const ROOM = 1_000;

/**
 * Keeps a number in the store that no ref of the tab has passed yet, so that numbers are not reused after a crash
 * (SN4). Saved ahead in steps, not at every snapshot.
 */
export class RefCeiling {
  #saved = 0;

  constructor(
    private readonly refs: RefTable,
    private readonly save: (ceiling: number) => void,
  ) {}

  check(): void {
    if (this.refs.lastNumber + ROOM / 2 <= this.#saved) return;
    this.#saved = this.refs.lastNumber + ROOM;
    this.save(this.#saved);
  }
}
