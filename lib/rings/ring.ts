export interface RingLimits {
  /** Entries kept; the oldest leaves first. */
  readonly keep: number;
  /** New entries a second; more are counted and not kept (security.md 1.8). */
  readonly perSecond: number;
}

/** Where an entry stands. `id` never changes; `rev` grows when the entry does. One counter gives both, so they can be compared. */
export interface Placed {
  readonly id: number;
  readonly rev: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Give it as `since` to go on from here. */
  readonly next: number;
  /** Entries that came too fast to be kept, since the last clear. */
  readonly dropped: number;
}

/** What a reader who follows is told: of what was told before, all below `oldest` is gone. */
export interface News<T> extends Page<T> {
  readonly oldest: number;
}

export interface Asked<T> {
  /** Only what is new or changed after this cursor, oldest change first; without it the latest, in order of their ids. */
  readonly since?: number | undefined;
  readonly limit?: number | undefined;
  readonly fits?: ((entry: T) => boolean) | undefined;
}

const WINDOW_MS = 1_000;

/**
 * The last entries of an endless stream, in bounded memory (PS1). Every entry that comes takes a number, kept or not: a gap in the ids
 * of entries that never change is exactly what was dropped.
 */
export class Ring<T extends object> {
  readonly #entries = new Map<number, T & Placed>();
  #counter = 0;
  #dropped = 0;
  #windowStart = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #closed = false;

  constructor(private readonly limits: RingLimits) {}

  get dropped(): number {
    return this.#dropped;
  }

  /** The cursor of a reader who has seen everything. */
  get cursor(): number {
    return this.#counter;
  }

  /** While closed nothing that comes is kept or counted; what is kept already may still change (CO8). */
  setClosed(closed: boolean): void {
    this.#closed = closed;
  }

  /** Counts one that came at `now` (milliseconds, monotonic) and keeps what `make` gives, unless too many came; then `make` is not called. */
  add(now: number, make: () => T): (T & Placed) | undefined {
    if (this.#closed) return undefined;
    this.#counter += 1;
    if (!this.#admits(now)) {
      this.#dropped += 1;
      return undefined;
    }
    const entry = { ...make(), id: this.#counter, rev: this.#counter };
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > this.limits.keep) this.#dropOldest();
    return entry;
  }

  /** Counts one without a look at it when as many have come in this second as are kept; false: it has to be read, and added. */
  passOver(now: number): boolean {
    if (this.#closed) return true;
    if (now - this.#windowStart >= WINDOW_MS || this.#inWindow < this.limits.perSecond) return false;
    this.#counter += 1;
    this.#dropped += 1;
    return true;
  }

  /** Changes an entry that is still kept. */
  change(id: number, part: Partial<T>): void {
    const before = this.#entries.get(id);
    if (!before) return;
    this.#counter += 1;
    this.#entries.set(id, { ...before, ...part, rev: this.#counter });
  }

  get(id: number): (T & Placed) | undefined {
    return this.#entries.get(id);
  }

  /** Empties it; numbers go on. Gives how many were kept. */
  clear(): number {
    const { size } = this.#entries;
    this.#entries.clear();
    this.#dropped = 0;
    this.#counter += 1;
    return size;
  }

  read({ since, limit = this.limits.keep, fits = () => true }: Asked<T & Placed>): Page<T & Placed> {
    const all = [...this.#entries.values()].filter(fits);
    const { dropped } = this;
    if (since === undefined) return { items: limit === 0 ? [] : all.slice(-limit), next: this.#counter, dropped };
    const fresh = all.filter((entry) => entry.rev > since).toSorted((one, other) => one.rev - other.rev);
    const items = fresh.slice(0, limit);
    return { items, next: items.length < fresh.length ? (items.at(-1)?.rev ?? since) : this.#counter, dropped };
  }

  /** What is new or changed since a cursor, for those who follow. */
  news(since: number): News<T & Placed> {
    const [oldest = this.#counter + 1] = this.#entries.keys();
    return { ...this.read({ since }), oldest };
  }

  #admits(now: number): boolean {
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    return this.#inWindow <= this.limits.perSecond;
  }

  /** Map keeps the order of first insertion, which is that of the ids. */
  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
