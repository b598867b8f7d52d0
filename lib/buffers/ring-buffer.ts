export interface BufferLimits {
  /** Entries kept; the oldest leaves first. */
  readonly keep: number;
  /**
   * The first entries of each second are always kept. When a longer burst finds no room, its newest entries are kept
   * and its middle is dropped (PS1).
   */
  readonly perSecond: number;
  /** The newest entries of a burst, kept beside its first ones. At most `keep - perSecond`. */
  readonly latest: number;
}

/**
 * Position of an entry. `id` never changes; `rev` grows when the entry changes. One counter gives both, so they can be
 * compared.
 */
export interface BufferEntry {
  readonly id: number;
  readonly rev: number;
}

export interface BufferPage<T> {
  readonly items: readonly T[];
  /** Give it as `since` to go on from here. */
  readonly next: number;
  /** Entries from the middle of bursts that were not kept, since the last clear. */
  readonly dropped: number;
}

/** What a follower receives. Entries below `oldest` that it received earlier no longer exist. */
export interface BufferChanges<T> extends BufferPage<T> {
  readonly oldest: number;
}

export interface BufferQuery<T> {
  /**
   * Only entries that are new or changed after this cursor, oldest change first; without it the latest, ordered by id.
   */
  readonly since?: number | undefined;
  readonly limit?: number | undefined;
  readonly fits?: ((entry: T) => boolean) | undefined;
}

const WINDOW_MS = 1_000;
/** Most memory that all unparsed entries may hold, bytes. */
const MOST_LAZY_BYTES = 4 * 1024 * 1024;

/** An entry that is parsed only when it is read. */
interface LazyEntry<T> {
  readonly bytes: number;
  readonly make: () => T;
}

/**
 * The last entries of an endless stream, in bounded memory (PS1). Every entry takes a number, kept or not, so a gap in
 * the ids counts exactly the dropped entries. An entry that a reader has received leaves only as the oldest.
 */
export class RingBuffer<T extends object> {
  /** Parsed entries; undefined for an unparsed one. Map keeps the order of insertion, which is that of the ids. */
  readonly #entries = new Map<number, (T & BufferEntry) | undefined>();
  readonly #lazy = new Map<number, LazyEntry<T>>();
  #lazyBytes = 0;
  /** The newest entries of the present burst, after its first ones: the oldest of them is dropped next. */
  #burst: number[] = [];
  #counter = 0;
  #dropped = 0;
  #windowStart = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #closed = false;

  /** @param shown converts an entry on each read: an earlier text may contain a later secret (T14) */
  constructor(
    private readonly limits: BufferLimits,
    private readonly shown: (entry: T & BufferEntry) => T & BufferEntry = (entry) => entry,
  ) {}

  get dropped(): number {
    return this.#dropped;
  }

  /** The cursor of a reader who has seen everything. */
  get cursor(): number {
    return this.#counter;
  }

  /** While closed, new entries are neither kept nor counted; kept entries may still change (CO8). */
  setClosed(closed: boolean): void {
    if (closed) this.parseLazy();
    this.#closed = closed;
  }

  /**
   * Counts an entry that arrived at `now` (monotonic milliseconds) and keeps it, dropping another where there is no
   * room. Undefined while closed.
   */
  add(now: number, make: () => T): (T & BufferEntry) | undefined {
    if (this.#closed) return undefined;
    const id = this.#next(now);
    const entry = { ...make(), id, rev: id };
    this.#put(id, entry);
    return entry;
  }

  /**
   * Keeps an entry unparsed while a burst exceeds what is parsed each second: `make` runs when a reader asks, or when
   * the burst is over (`parseLazy`). Returns false when there is room, so the caller has to parse it and call `add`.
   * @param bytes memory that `make` holds
   */
  addLazy(now: number, bytes: number, make: () => T): boolean {
    if (this.#closed) return true;
    if (
      now - this.#windowStart >= WINDOW_MS ||
      this.#inWindow < this.limits.perSecond ||
      this.#entries.size < this.limits.keep
    )
      return false;
    const id = this.#next(now);
    this.#lazy.set(id, { bytes, make });
    this.#lazyBytes += bytes;
    this.#put(id, undefined);
    while (this.#lazyBytes > MOST_LAZY_BYTES && this.#burst.length > 1) this.#shed();
    return true;
  }

  /** Parses the entries that were kept unparsed. */
  parseLazy(): void {
    for (const [id, { make }] of this.#lazy) this.#entries.set(id, { ...make(), id, rev: id });
    this.#lazy.clear();
    this.#lazyBytes = 0;
  }

  /** Changes an entry that is still kept. */
  change(id: number, part: Partial<T>): void {
    const before = this.get(id);
    if (!before) return;
    this.#counter += 1;
    this.#entries.set(id, { ...before, ...part, rev: this.#counter });
  }

  get(id: number): (T & BufferEntry) | undefined {
    if (this.#lazy.has(id)) this.parseLazy();
    const entry = this.#entries.get(id);
    return entry && this.shown(entry);
  }

  /** Removes all entries; ids continue. Returns how many were removed. */
  clear(): number {
    const { size } = this.#entries;
    this.#entries.clear();
    this.#lazy.clear();
    this.#lazyBytes = 0;
    this.#burst = [];
    this.#dropped = 0;
    this.#counter += 1;
    return size;
  }

  /** The newest entry that matches. Do not show it to a reader: a burst may still drop it. */
  newest(fits: (entry: T & BufferEntry) => boolean): (T & BufferEntry) | undefined {
    return this.#all().findLast(fits);
  }

  read({
    since,
    limit = this.limits.keep,
    fits = () => true,
  }: BufferQuery<T & BufferEntry>): BufferPage<T & BufferEntry> {
    const all = this.#all().filter(fits);
    // Entries that a reader has received are not dropped from the middle.
    this.#burst = [];
    const { dropped } = this;
    if (since === undefined) return { items: limit === 0 ? [] : all.slice(-limit), next: this.#counter, dropped };
    const fresh = all.filter((entry) => entry.rev > since).toSorted((one, other) => one.rev - other.rev);
    const items = fresh.slice(0, limit);
    return { items, next: items.length < fresh.length ? (items.at(-1)?.rev ?? since) : this.#counter, dropped };
  }

  /** Entries that are new or changed since a cursor, for followers. */
  news(since: number): BufferChanges<T & BufferEntry> {
    const [oldest = this.#counter + 1] = this.#entries.keys();
    return { ...this.read({ since }), oldest };
  }

  #all(): (T & BufferEntry)[] {
    this.parseLazy();
    return [...this.#entries.values()].filter((entry) => entry !== undefined).map((entry) => this.shown(entry));
  }

  /** The id of an entry that arrives now. */
  #next(now: number): number {
    if (now - this.#windowStart >= WINDOW_MS) {
      this.parseLazy();
      this.#burst = [];
      this.#windowStart = now;
      this.#inWindow = 0;
    }
    this.#inWindow += 1;
    this.#counter += 1;
    return this.#counter;
  }

  #put(id: number, entry: (T & BufferEntry) | undefined): void {
    this.#entries.set(id, entry);
    if (this.#inWindow > this.limits.perSecond) this.#burst.push(id);
    if (this.#entries.size <= this.limits.keep) return;
    if (this.#burst.length > this.limits.latest) this.#shed();
    else this.#dropOldest();
  }

  #shed(): void {
    const id = this.#burst.shift();
    if (id === undefined) return;
    this.#forget(id);
    this.#dropped += 1;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(id: number): void {
    this.#entries.delete(id);
    this.#lazyBytes -= this.#lazy.get(id)?.bytes ?? 0;
    this.#lazy.delete(id);
  }
}
