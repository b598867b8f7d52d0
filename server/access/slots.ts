/** Limits how many places of one key are in use at once: sockets of a principal, evaluations of a tab (BR7, EV1). */
export class Slots {
  readonly max: number;
  readonly #used = new Map<string, number>();

  constructor(max: number) {
    this.max = max;
  }

  /** Takes a place. The returned function releases it and may be called twice. Undefined when none is free. */
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
