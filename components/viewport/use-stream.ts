'use client';

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useClientParts } from '@/components/session-client/session-client-provider';
import { Painter } from './painter';
import type { OpenStream } from '@/components/session-client/session-client';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';
import type { ShownSize, TierChoice } from '@/lib/stream/quality';

/** A size or choice that has not changed for this long is told to the server, milliseconds. */
const RESTS_MS = 300;

export interface StreamOptions {
  readonly session: string;
  /** A tab id, or `active` for the session's active tab. */
  readonly tab: string;
  /** `auto`: as good as the link and `size` allow (FR6). */
  readonly tier: TierChoice;
  /** How large the picture is shown; undefined until known. */
  readonly size?: ShownSize | undefined;
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
  const { session, tab, tier, size, maxFps, open } = options;
  const stream = useRef<OpenStream>(undefined);
  const onStatus = useEffectEvent((status: StreamStatus) => options.onStatus?.(status));
  const onPainted = useEffectEvent((meta: FrameMeta, bytes: number) => {
    meter.frame(bytes);
    options.onPainted?.(meta);
  });
  const quality = useEffectEvent(() => ({ tier, ...(size && { size }) }));
  useEffect(() => {
    if (!open || !canvas.current) return;
    const painter = new Painter({ canvas: canvas.current, onPainted });
    const opened = client.openStream(
      { session, tab, ...quality(), ...(maxFps === undefined ? {} : { maxFps }) },
      { onOpen: () => painter.reset(), onFrame: (frame) => painter.push(frame), onStatus },
    );
    stream.current = opened;
    return () => {
      stream.current = undefined;
      opened.close();
      painter.dispose();
    };
  }, [client, canvas, session, tab, maxFps, open]);
  const first = useRef(true);
  useEffect(() => {
    // The stream was opened with the first quality.
    if (first.current) return void (first.current = false);
    const timer = setTimeout(() => stream.current?.pin(quality()), RESTS_MS);
    return () => clearTimeout(timer);
  }, [tier, size?.width, size?.dpr]);
}
