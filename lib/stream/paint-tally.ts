import type { Look } from './quality';

/** A look covers at least this long, milliseconds. */
const LOOK_MS = 500;
/** A viewer who gets half of this many pictures a second sees motion, whatever rate it wants. */
const SMOOTH_FPS = 30;

/**
 * Adds up the pictures that one viewer painted, until there is enough for a look at its link. Times in milliseconds.
 */
export class PaintTally {
  #count = 0;
  #sumMs = 0;
  #quickestMs = Number.POSITIVE_INFINITY;
  #fullMs = 0;
  #fullSince: number | undefined;

  #since: number;

  /** @param from pictures sent before do not count */
  constructor(private readonly from: number) {
    this.#since = from;
  }

  /** The viewer has no credit from now on. */
  full(now: number): void {
    this.#fullSince ??= now;
  }

  /** A picture was painted, and the viewer has credit. Returns a look when it is time for one. */
  painted(sentAt: number, now: number, link: { readonly leastMs: number; readonly fps: number }): Look | undefined {
    this.#fullMs += now - Math.max(this.#fullSince ?? now, this.#since);
    this.#fullSince = undefined;
    if (sentAt >= this.from) this.#add(now - sentAt);
    const lastedMs = now - this.#since;
    return this.#count > 0 && lastedMs >= LOOK_MS ? this.#look(now, lastedMs, link) : undefined;
  }

  #add(ms: number): void {
    this.#count += 1;
    this.#sumMs += ms;
    this.#quickestMs = Math.min(this.#quickestMs, ms);
  }

  #look(now: number, lastedMs: number, { leastMs, fps }: { leastMs: number; fps: number }): Look {
    const roundTripMs = this.#sumMs / this.#count;
    const halfOfWanted = (Math.min(fps, SMOOTH_FPS) * lastedMs) / 2_000;
    const look = {
      at: now,
      roundTripMs,
      quickestMs: this.#quickestMs,
      queueMs: roundTripMs - leastMs,
      starved: this.#count < halfOfWanted && this.#fullMs > lastedMs / 2,
    };
    this.#count = this.#sumMs = this.#fullMs = 0;
    this.#quickestMs = Number.POSITIVE_INFINITY;
    this.#since = now;
    return look;
  }
}
