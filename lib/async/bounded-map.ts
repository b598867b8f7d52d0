/**
 * A map of at most `most` entries. `set` makes its entry the newest and drops the oldest when the map is full;
 * `forgotten` is called with it afterwards.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #forgotten: ((key: K, value: V) => void) | undefined;

  constructor(most: number, forgotten?: (key: K, value: V) => void) {
    super();
    this.#most = most;
    this.#forgotten = forgotten;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) this.#forgetOldest();
    return this;
  }

  #forgetOldest(): void {
    const [oldest] = this;
    if (!oldest) return;
    this.delete(oldest[0]);
    this.#forgotten?.(...oldest);
  }
}
