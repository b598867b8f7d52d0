import type { CaptureState, Picture } from '@/lib/stream/picture';

/** Who gets the pictures of a capture: a viewer, a recording. It is never waited for. */
export interface FrameSink {
  /** Pictures per second it takes at most. */
  readonly fps: number;
  /** A new picture, or the kept one for a newcomer. Must neither block nor throw. */
  take(picture: Picture, kept: boolean): void;
  /**
   * When it takes its next picture, on the server's monotonic clock (`now`), milliseconds; undefined while it has no
   * credit.
   */
  wantsAt(now: number): number | undefined;
  captureChanged(state: CaptureState): void;
}

/** What happens to pictures, counted. `refused`: a painted-message that fits nothing sent (F21). */
export type FrameStep = 'captured' | 'still' | 'sent' | 'dropped' | 'refused' | 'stalled';

/** The part of the server's metrics that the stream uses. */
export interface FrameCounters {
  frame(step: FrameStep, tier: string): void;
}
