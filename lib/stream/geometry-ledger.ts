import type { FrameMeta } from '@/lib/protocol/views';

/**
 * The properties of a page that decide where a click lands (FR4). Scrolling is not one of them, because points are
 * relative to the viewport. CSS pixels.
 */
export type PageShape = Readonly<Pick<FrameMeta, 'width' | 'height' | 'pageScale' | 'offsetTop'>>;

interface Entry {
  readonly number: number;
  /** Undefined until the first picture of a new document. */
  readonly shape: PageShape | undefined;
  readonly from: number;
}

const KEPT = 8;

/**
 * Captures see a new size at slightly different times: within this time a picture of the old size is a late one, not a
 * return to that size. Milliseconds.
 */
const SETTLING_MS = 100;

/**
 * Numbers the geometries of one tab (FR4): the number grows when size, scale or document change, and is the same for
 * all captures of the tab. A picture that was taken before a change and arrives after it keeps the number of its own
 * time.
 */
export class GeometryLedger {
  #entries: readonly Entry[] = [{ number: 1, shape: undefined, from: Number.NEGATIVE_INFINITY }];

  get current(): number {
    return this.#latest.number;
  }

  /**
   * The number for a picture of this shape taken at `takenAt`, milliseconds of the clock that `documentChanged` uses.
   */
  stamp(shape: PageShape, takenAt: number): number {
    const latest = this.#latest;
    if (latest.shape !== undefined && takenAt < latest.from + SETTLING_MS) {
      const known = this.#fitting(shape, takenAt);
      if (known) return known.number;
    }
    if (takenAt < latest.from) return latest.number - 1;
    if (latest.shape === undefined) this.#replaceLatest({ ...latest, shape });
    else if (!sameShape(latest.shape, shape)) this.#add({ number: latest.number + 1, shape, from: takenAt });
    return this.current;
  }

  /** Another document took the place of the last one at `now`. */
  documentChanged(now: number): number {
    this.#add({ number: this.current + 1, shape: undefined, from: now });
    return this.current;
  }

  /**
   * The geometry of this shape at that time; otherwise one that began soon after, because another capture saw it first.
   */
  #fitting(shape: PageShape, takenAt: number): Entry | undefined {
    const alike = this.#entries.filter((entry) => entry.shape !== undefined && sameShape(entry.shape, shape));
    return alike.findLast((entry) => entry.from <= takenAt) ?? alike[0];
  }

  #add(entry: Entry): void {
    this.#entries = [...this.#entries, entry].slice(-KEPT);
  }

  #replaceLatest(entry: Entry): void {
    this.#entries = [...this.#entries.slice(0, -1), entry];
  }

  get #latest(): Entry {
    const latest = this.#entries.at(-1);
    if (!latest) throw new RangeError('A geometry ledger always has an entry.');
    return latest;
  }
}

function sameShape(a: PageShape, b: PageShape): boolean {
  return a.width === b.width && a.height === b.height && a.pageScale === b.pageScale && a.offsetTop === b.offsetTop;
}
