/** Crashes longer ago than this no longer count (quality.md F2). Milliseconds. */
const MEMORY_MS = 600_000;

/**
 * Decides whether a crashed page or browser is restored automatically: a number of times within ten minutes, then only
 * on request of a person (BR5, CO9).
 */
export class CrashLog {
  #crashes: readonly number[] = [];

  /** @param allowed how many of the crashes of ten minutes are mended without anybody being asked. */
  constructor(private readonly allowed: number) {}

  /** How many crashes count now. */
  get count(): number {
    return this.#crashes.length;
  }

  /** Counts one. True: bring it back. `now` is monotonic milliseconds. */
  crashed(now: number): boolean {
    this.#crashes = [...this.#crashes.filter((at) => now - at < MEMORY_MS), now];
    return this.#crashes.length <= this.allowed;
  }

  /** A person restored it: earlier crashes no longer count. */
  forget(): void {
    this.#crashes = [];
  }
}
