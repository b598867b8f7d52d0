import { BoundedMap } from '@/lib/async/bounded-map';
import { asWheelhouseError } from '@/lib/errors/error';

/** The shortest interval between two writes of the last use of a key or sign-in, milliseconds. */
const WRITE_EVERY_MS = 60_000;
/** Of more of them, the last use is written more often. */
const MOST_KNOWN = 10_000;

/**
 * When the last uses of keys or sign-ins were written, so that a caller of many calls does not write at each of them.
 */
export class LastUses {
  readonly #written = new BoundedMap<string, number>(MOST_KNOWN);

  /** Whether a use at `now` is to be written; then counts as written. */
  take(id: string, now: Date): boolean {
    if (now.getTime() - (this.#written.get(id) ?? 0) < WRITE_EVERY_MS) return false;
    this.#written.set(id, now.getTime());
    return true;
  }
}

/** Waits for the write of a last use. A busy store refuses nobody for it (STORE_BUSY): the next write says it again. */
export async function noted(write: Promise<void>): Promise<void> {
  await write.catch((thrown: unknown) => {
    if (asWheelhouseError(thrown).code !== 'STORE_BUSY') throw thrown;
  });
}
