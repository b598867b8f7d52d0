/** How many of one thing may be open at once, by key: sockets of a principal, evaluations of a tab (1.8). */
export class Slots {
  readonly max: number;
  readonly #used = new Map<string, number>();

  constructor(max: number) {
    this.max = max;
  }

  /** Takes a place; the returned function gives it back, once. Undefined when all are taken. */
  take(key: string): (() => void) | undefined {
    const used = this.#used.get(key) ?? 0;
    if (used >= this.max) return undefined;
    this.#used.set(key, used + 1);
    let held = true;
    return () => {
      if (held) this.#giveBack(key);
      held = false;
    };
  }

  inUse(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.inUse(key) - 1;
    if (left > 0) this.#used.set(key, left);
    else this.#used.delete(key);
  }
}
