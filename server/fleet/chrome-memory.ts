import { monotonicClock } from '@/lib/budget/clock';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { memoryOfGroups } from '@/server/browser/process-memory';

interface CountedChrome {
  readonly browser: ChromeBrowser;
  /** `pid` is null where the Chrome was not started here. */
  readonly record: { readonly pid: number | null };
}

/** How long a memory measurement of all Chromes is reused. Milliseconds. */
const MEASUREMENT_LIFE_MS = 1_000;

/** Measures the memory of launched Chromes (BR7). */
export class ChromeMemory {
  #memory: Promise<ReadonlyMap<ChromeBrowser, number> | undefined> = Promise.resolve(undefined);
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly present: () => readonly CountedChrome[]) {}

  /**
   * Memory of each launched Chrome in bytes; undefined where the system does not report it. Measured at most once a
   * second.
   */
  read(): Promise<ReadonlyMap<ChromeBrowser, number> | undefined> {
    if (monotonicClock.now() - this.#lookedAt >= MEASUREMENT_LIFE_MS) {
      this.#lookedAt = monotonicClock.now();
      this.#memory = this.#look();
    }
    return this.#memory;
  }

  /** Another Chrome is connected: the next call measures again. */
  changed(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<ReadonlyMap<ChromeBrowser, number> | undefined> {
    const own = this.#own();
    // A failed measurement must not refuse anyone.
    const bytes = await memoryOfGroups(new Set(own.keys())).catch(() => undefined);
    return bytes && new Map([...own].map(([pid, browser]) => [browser, bytes.get(pid) ?? 0]));
  }

  #own(): ReadonlyMap<number, ChromeBrowser> {
    return new Map(
      this.present().flatMap(({ browser, record }) => (record.pid === null ? [] : [[record.pid, browser] as const])),
    );
  }
}
