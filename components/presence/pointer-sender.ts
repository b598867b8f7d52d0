import type { XY } from '@/components/viewport/input/page-point';

/** Time between two places of a pointer, milliseconds. Viewers are told as often. */
const EVERY_MS = 100;

/**
 * Sends where a pointer is on a tab: the newest place, one at a time and at most ten a second; null when it left the
 * page.
 */
export class PointerSender {
  #next: XY | null | undefined;
  #sending = false;
  /** The place that was sent last was not null. */
  #isShown = false;

  /** @param send must not reject */
  constructor(private readonly send: (at: XY | null) => Promise<void>) {}

  put(at: XY | null): void {
    this.#next = at;
    if (!this.#sending) void this.#run();
  }

  /** The tab is shown no more: drops the place that waits, and takes the pointer off the tab. */
  dispose(): void {
    this.#next = undefined;
    if (this.#isShown) void this.send(null);
  }

  async #run(): Promise<void> {
    this.#sending = true;
    while (this.#next !== undefined) {
      const at = this.#next;
      this.#next = undefined;
      this.#isShown = at !== null;
      await Promise.all([this.send(at), new Promise((resolve) => setTimeout(resolve, EVERY_MS))]);
    }
    this.#sending = false;
  }
}
