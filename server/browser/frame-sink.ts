import type { CaptureState, Picture } from '@/lib/stream/picture';

/** A receiver of the frames (pictures) of a capture: a viewer or a recording. The capture never waits for it. */
export interface FrameSink {
  /** The most pictures per second. */
  readonly fps: number;
  /** Receives a new picture, or the last one when it joins. Must neither block nor throw. */
  take(picture: Picture, kept: boolean): void;
  /**
   * When the sink wants its next picture, in milliseconds of the server's monotonic clock (`now`); undefined while it
   * has no credit.
   */
  wantsAt(now: number): number | undefined;
  captureChanged(state: CaptureState): void;
}

/** Counted steps of a picture. `refused`: a `painted` message that matches no sent picture (F21). */
export type FrameStep = 'captured' | 'still' | 'sent' | 'dropped' | 'refused' | 'stalled';

/** The part of the server's metrics that the stream uses. */
export interface FrameCounters {
  frame(step: FrameStep, tier: string): void;
}
