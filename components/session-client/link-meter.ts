/** One reading of the link meter. */
export interface MeterReading {
  /** Pictures painted per second. */
  readonly fps: number;
  /** Round trip of a small request, milliseconds; undefined until one was measured. */
  readonly latencyMs: number | undefined;
  /** Bits of picture data per second. */
  readonly bitsPerSecond: number;
}

/** Milliseconds over which the rates are averaged. */
const WINDOW_MS = 2_000;
const ROUND_TRIPS = 9;

/** Measures the connection from the pictures that arrive and the round trips of requests. */
export class LinkMeter {
  readonly #now: () => number;
  #frames: { at: number; bytes: number }[] = [];
  #roundTrips: number[] = [];

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  frame(bytes: number): void {
    this.#frames.push({ at: this.#now(), bytes });
    this.#forgetOld();
  }

  roundTrip(ms: number): void {
    this.#roundTrips = [...this.#roundTrips, ms].slice(-ROUND_TRIPS);
  }

  read(): MeterReading {
    this.#forgetOld();
    const bytes = this.#frames.reduce((sum, frame) => sum + frame.bytes, 0);
    const perSecond = 1_000 / WINDOW_MS;
    return {
      fps: this.#frames.length * perSecond,
      latencyMs: median(this.#roundTrips),
      bitsPerSecond: bytes * 8 * perSecond,
    };
  }

  #forgetOld(): void {
    const oldest = this.#now() - WINDOW_MS;
    if ((this.#frames[0]?.at ?? oldest) < oldest) this.#frames = this.#frames.filter((frame) => frame.at >= oldest);
  }
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
