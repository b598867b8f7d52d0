import type { Clock } from '@/lib/budget/clock';

/** What is to happen later, by name: planned anew, called off, and all of it ended with the owner. */
export class Later {
  readonly #planned = new Map<string, () => void>();
  #disposed = false;

  constructor(private readonly clock: Clock) {}

  /** In `ms`, unless it is called off or planned anew under the same name before. */
  plan(name: string, ms: number, callback: () => void): void {
    if (this.#disposed) return;
    this.cancel(name);
    const cancel = this.clock.after(ms, () => {
      this.#planned.delete(name);
      callback();
    });
    this.#planned.set(name, cancel);
  }

  cancel(name: string): void {
    this.#planned.get(name)?.();
    this.#planned.delete(name);
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  dispose(): void {
    this.#disposed = true;
    for (const cancel of this.#planned.values()) cancel();
    this.#planned.clear();
  }
}
