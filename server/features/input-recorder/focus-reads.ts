import type { TargetElement } from '@/lib/input-recorder/target-element';
import { Emitter } from '@/server/browser/emitter';

/** One look at where the keyboard's input goes. `seen` is undefined where the page did not tell. */
export interface FocusRead {
  readonly number: number;
  readonly seen: TargetElement | undefined;
}

/** One that told. */
export interface KnownFocus extends FocusRead {
  readonly seen: TargetElement;
}

/** Looks at the focus when asked, one look at a time: whoever asks during one shares the next. */
export class FocusReads {
  readonly onRead = new Emitter<[FocusRead]>();
  #begun = 0;
  #floor = 0;
  #last: KnownFocus | undefined;
  #running = false;
  #again = false;

  /** @param look never rejects */
  constructor(private readonly look: () => Promise<TargetElement | undefined>) {}

  /** The newest answer that still holds. */
  get last(): KnownFocus | undefined {
    return this.#last;
  }

  /** Looks that began before this one say nothing of what is now. */
  get floor(): number {
    return this.#floor;
  }

  /** The focus may be elsewhere now: what was seen, and what is being looked at, does not count. */
  forget(): void {
    this.#last = undefined;
    this.#floor = this.#begun;
  }

  /** Looks from here on; gives the number of that look. */
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
