import { BoundedMap } from '@/lib/async/bounded-map';

/** Entries are small: a pending sign-in, a challenge of a passkey. */
const MOST = 10_000;

interface Entry {
  readonly value: string;
  readonly endsAt: number;
}

/**
 * The short-lived data of better-auth: its sessions, which end in the call that made them, pending sign-ins and
 * challenges. It is in memory, so that a copy of the database has nothing that signs a person in (T14).
 */
export class MemoryStorage {
  readonly #entries = new BoundedMap<string, Entry>(MOST);

  constructor(private readonly now: () => Date) {}

  readonly get = (key: string): string | null => {
    const entry = this.#entries.get(key);
    if (entry && entry.endsAt > this.now().getTime()) return entry.value;
    this.#entries.delete(key);
    return null;
  };

  /** @param ttl seconds */
  readonly set = (key: string, value: string, ttl?: number): void => {
    this.#entries.set(key, { value, endsAt: this.now().getTime() + (ttl ?? 600) * 1_000 });
  };

  readonly delete = (key: string): void => {
    this.#entries.delete(key);
  };

  readonly getAndDelete = (key: string): string | null => {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  };

  get size(): number {
    return this.#entries.size;
  }
}
