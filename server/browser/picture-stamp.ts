import { CaptureClock } from '@/lib/stream/capture-clock';
import { GeometryLedger } from '@/lib/stream/geometry-ledger';
import type { Picture } from '@/lib/stream/picture';
import type { ScreencastFrame } from './cdp-screencast';

/**
 * Geometry numbers, capture times and numbers of pictures, shared by all captures of one tab, because a click names a
 * geometry whichever picture it was aimed at, and a viewer may change to another capture (FR6).
 */
export class PictureStamp {
  readonly #geometry = new GeometryLedger();
  readonly #clock = new CaptureClock();
  #seq = 0;

  /** The geometry number that input must name (FR4). */
  get geometry(): number {
    return this.#geometry.current;
  }

  /** `now`: milliseconds of the server's monotonic clock. */
  documentChanged(now: number): void {
    this.#geometry.documentChanged(now);
  }

  /** Decodes a frame of Chrome once for all sinks. Source: Page.screencastFrame. */
  describe({ data, metadata }: ScreencastFrame, arrivedAt: number): Omit<Picture, 'sort'> {
    const takenAt =
      metadata.timestamp === undefined ? arrivedAt : this.#clock.takenAt(metadata.timestamp * 1_000, arrivedAt);
    const shape = {
      width: metadata.deviceWidth,
      height: metadata.deviceHeight,
      pageScale: metadata.pageScaleFactor,
      offsetTop: metadata.offsetTop,
    };
    return {
      ...shape,
      seq: (this.#seq += 1),
      geometry: this.#geometry.stamp(shape, takenAt),
      scrollX: metadata.scrollOffsetX,
      scrollY: metadata.scrollOffsetY,
      format: 'jpeg',
      takenAt,
      data: Buffer.from(data, 'base64'),
    };
  }
}
