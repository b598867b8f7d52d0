import { monotonicClock } from '@/lib/budget/clock';
import { quotaError } from '@/server/access/quota';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { memoryOfGroups } from '@/server/browser/process-memory';

interface CountedChrome {
  readonly browser: ChromeBrowser;
  /** `pid` is null where the Chrome was not started here. */
  readonly record: { readonly pid: number | null };
}

/** So long a look at the memory of all Chromes holds good. Milliseconds. */
const MEMORY_MS = 1_000;

/** How many Chromes run here, and what they take of the memory (BR7). */
export class ChromeCapacity {
  #launching = 0;
  #memory: Promise<ReadonlyMap<ChromeBrowser, number> | undefined> = Promise.resolve(undefined);
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly most: number,
    private readonly present: () => readonly CountedChrome[],
  ) {}

  /** Starts one more. Throws QUOTA when as many run, or are being started, as may. */
  async forOneMore<T>(start: () => Promise<T>): Promise<T> {
    const used = this.#own().size + this.#launching;
    if (used >= this.most) throw quotaError('chromes-server', used, this.most);
    this.#launching += 1;
    try {
      return await start();
    } finally {
      this.#launching -= 1;
    }
  }

  /**
   * Bytes that each one takes which was started here; undefined where the system does not tell. Looked up once a second
   * at most.
   */
  memory(): Promise<ReadonlyMap<ChromeBrowser, number> | undefined> {
    if (monotonicClock.now() - this.#lookedAt >= MEMORY_MS) {
      this.#lookedAt = monotonicClock.now();
      this.#memory = this.#look();
    }
    return this.#memory;
  }

  /** Another Chrome is there: the next look is a new one. */
  changed(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<ReadonlyMap<ChromeBrowser, number> | undefined> {
    const own = this.#own();
    // What cannot be looked up stops nobody.
    const bytes = await memoryOfGroups(new Set(own.keys())).catch(() => undefined);
    return bytes && new Map([...own].map(([pid, browser]) => [browser, bytes.get(pid) ?? 0]));
  }

  #own(): ReadonlyMap<number, ChromeBrowser> {
    return new Map(
      this.present().flatMap(({ browser, record }) => (record.pid === null ? [] : [[record.pid, browser] as const])),
    );
  }
}
