import type { RefTable } from '@/server/browser/refs';

const ROOM = 1_000;

/**
 * Stores a number above every ref of the tab, so that refs are not reused after a crash (SN4). Saves ahead in steps
 * instead of at every snapshot.
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
