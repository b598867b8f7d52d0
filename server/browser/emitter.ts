/** Typed listeners with one owner. A handler added twice is called once; removal is by the returned function. */
export class Emitter<T extends unknown[]> {
  readonly #handlers = new Set<(...values: T) => void>();

  on(handler: (...values: T) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  emit(...values: T): void {
    for (const handler of [...this.#handlers]) handler(...values);
  }

  clear(): void {
    this.#handlers.clear();
  }
}
