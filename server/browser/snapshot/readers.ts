import type { SnapshotOptions } from '@/lib/snapshot/options';

export interface LastRead {
  readonly options: SnapshotOptions;
  readonly revision: number;
  /** The newest refs that it was shown of the page. */
  readonly refs: readonly string[];
}

interface Reader {
  readonly loaderId: string;
  /** The last ref number that had been given when it looked. */
  readonly lastRef: number;
  /** Its last look at the whole page. */
  readonly last: LastRead | undefined;
}

/** Readers remembered for a tab; who looked longest ago is forgotten first. */
const MAX_READERS = 100;

/** Who has seen what of a tab: refs only grow in number, so a single number says what is new to a reader (SN2, SN4). */
export class Readers {
  readonly #readers = new Map<string, Reader>();

  /** Refs above this number are new to the reader; undefined when it has not seen this document. */
  newAfter(reader: string, loaderId: string): number | undefined {
    const known = this.#readers.get(reader);
    return known?.loaderId === loaderId ? known.lastRef : undefined;
  }

  lastOf(reader: string): LastRead | undefined {
    return this.#readers.get(reader)?.last;
  }

  /** `whole`: what it asked for, when that was the whole page. */
  saw(
    reader: string,
    document: { readonly loaderId: string; readonly lastRef: number },
    whole: LastRead | undefined,
  ): void {
    const last = whole ?? this.lastOf(reader);
    this.#readers.delete(reader);
    this.#readers.set(reader, { ...document, last });
    for (const oldest of this.#readers.keys()) {
      if (this.#readers.size <= MAX_READERS) return;
      this.#readers.delete(oldest);
    }
  }
}
