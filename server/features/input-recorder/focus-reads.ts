import type { TargetElement } from '@/lib/input-recorder/target-element';
import { Emitter } from '@/server/browser/emitter';

/** One read of the focused element. `seen` is undefined where the page did not answer. */
export interface FocusRead {
  readonly number: number;
  readonly seen: TargetElement | undefined;
}

/** A focus read that succeeded. */
export interface KnownFocus extends FocusRead {
  readonly seen: TargetElement;
}

/** Reads the focus on request, one read at a time: requests during a read share the next one. */
export class FocusReads {
  readonly onRead = new Emitter<[FocusRead]>();
  #begun = 0;
  #floor = 0;
  #last: KnownFocus | undefined;
  #running = false;
  #again = false;

  /** @param look reads the focus; never rejects */
  constructor(private readonly look: () => Promise<TargetElement | undefined>) {}

  /** The newest successful read that is still valid. */
  get last(): KnownFocus | undefined {
    return this.#last;
  }

  /** Reads up to this number are outdated. */
  get floor(): number {
    return this.#floor;
  }

  /** The focus may have moved: discards the last read and a running one. */
  forget(): void {
    this.#last = undefined;
    this.#floor = this.#begun;
  }

  /** Requests a read that starts from now on; returns its number. */
  want(): number {
    if (this.#running) {
      this.#again = true;
      return this.#begun + 1;
    }
    void this.#run();
    return this.#begun;
  }

  async #run(): Promise<void> {
    this.#running = true;
    do {
      this.#again = false;
      this.#begun += 1;
      const number = this.#begun;
      const seen = await this.look();
      if (seen && number > this.#floor) this.#last = { number, seen };
      this.onRead.emit({ number, seen });
    } while (this.#again);
    this.#running = false;
  }
}
