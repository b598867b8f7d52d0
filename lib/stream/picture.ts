import type { FrameMeta } from '@/lib/protocol/views';

/** One captured picture with the geometry it was taken in (FR4). Shared by all viewers, never copied, never changed. */
export interface Picture extends Pick<
  FrameMeta,
  'seq' | 'geometry' | 'width' | 'height' | 'pageScale' | 'offsetTop' | 'scrollX' | 'scrollY' | 'format'
> {
  /** `motion` from the screencast, `still` the sharp one after motion. */
  readonly sort: 'motion' | 'still';
  /** When Chrome took it, on the server's monotonic clock, milliseconds. */
  readonly takenAt: number;
  readonly data: Uint8Array;
}

/** Whether a capture gives pictures at present. `lost` and `paused` say why not, in words for people. */
export type CaptureState =
  | { readonly state: 'running' }
  | { readonly state: 'paused'; readonly reason: string }
  | { readonly state: 'lost'; readonly reason: string };
