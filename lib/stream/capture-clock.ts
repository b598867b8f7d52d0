/**
 * Converts Chrome's capture times to our monotonic clock without trusting either wall clock: the least delay seen
 * between capture and arrival counts as zero. So a picture that waited in a socket, or in a blocked server, is known to
 * be old. One per Chrome or per tab. All times in milliseconds.
 */
export class CaptureClock {
  #recent: number[] = [];
  #odd = 0;

  /**
   * Our clock's time at which a picture was taken. `chromeMs`: Chrome's time (`metadata.timestamp`); `arrivedAt`: our
   * time of arrival.
   */
  takenAt(chromeMs: number, arrivedAt: number): number {
    const distance = arrivedAt - chromeMs;
    if (this.#stepped(distance)) this.#recent = [];
    this.#recent.push(distance);
    if (this.#recent.length > REMEMBERED) this.#recent.shift();
    return chromeMs + Math.min(...this.#recent);
  }

  /** More late pictures in a row than all captures of a tab can have in flight: a clock was set, they are not late. */
  #stepped(distance: number): boolean {
    const late = distance - Math.min(...this.#recent);
    this.#odd = late > PLAUSIBLE_MS ? this.#odd + 1 : 0;
    if (this.#odd <= MOST_IN_FLIGHT) return false;
    this.#odd = 0;
    return true;
  }
}

/** The clocks drift: samples older than this many pictures no longer count. */
const REMEMBERED = 64;
const PLAUSIBLE_MS = 1_000;
const MOST_IN_FLIGHT = 12;
