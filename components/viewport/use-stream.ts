'use client';

import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useClientParts } from '@/components/session-client/session-client-provider';
import { Painter } from './painter';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';

export interface StreamOptions {
  readonly session: string;
  /** A tab id, or `active` for the session's active tab. */
  readonly tab: string;
  readonly tier: 'thumbnail' | 'standard' | 'high';
  /** The most pictures per second for this viewer. */
  readonly maxFps?: number | undefined;
  /** False closes the stream; the last picture stays. */
  readonly open: boolean;
  /** Called after each painted picture; it runs for every frame, so it must not set state each time. */
  readonly onPainted?: ((meta: FrameMeta) => void) | undefined;
  readonly onStatus?: ((status: StreamStatus) => void) | undefined;
}

/** Paints a tab's stream to a canvas while mounted and `open`. Frames never pass through React (FR1, FR2). */
export function useStream(canvas: RefObject<HTMLCanvasElement | null>, options: StreamOptions): void {
  const { client, meter } = useClientParts();
  const { session, tab, tier, maxFps, open } = options;
  const onStatus = useEffectEvent((status: StreamStatus) => options.onStatus?.(status));
  const onPainted = useEffectEvent((meta: FrameMeta, bytes: number) => {
    meter.frame(bytes);
    options.onPainted?.(meta);
  });
  useEffect(() => {
    if (!open || !canvas.current) return;
    const painter = new Painter({ canvas: canvas.current, onPainted });
    const close = client.openStream(
      { session, tab, tier, ...(maxFps === undefined ? {} : { maxFps }) },
      { onOpen: () => painter.reset(), onFrame: (frame) => painter.push(frame), onStatus },
    );
    return () => {
      close();
      painter.dispose();
    };
  }, [client, canvas, session, tab, tier, maxFps, open]);
}
