'use client';

import { useRef, useEffect, useState, type RefObject } from 'react';
import { cn } from '@/components/ui/cn';
import { useStream } from './use-stream';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';

export interface LivePictureProps {
  session: string;
  /** A tab id, or `active` for the session's active tab. */
  tab: string;
  tier: 'thumbnail';
  /** The most pictures per second. */
  maxFps?: number;
  /** Accessible name; without one the picture counts as decoration. */
  label?: string;
  /** Where the picture is placed in a box of another shape. */
  align?: 'top' | 'center';
  className?: string;
  onStatus?: (status: StreamStatus) => void;
  /** Called after each painted picture; must be cheap. */
  onPainted?: (meta: FrameMeta) => void;
}

/**
 * Streams pictures of a tab, letterboxed and never stretched. Transparent until the first picture; streams only while
 * in view. For watching only: the cockpit's `Viewport` takes input.
 */
export function LivePicture({
  session,
  tab,
  tier,
  maxFps,
  label,
  align = 'top',
  className,
  onStatus,
  onPainted,
}: LivePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const open = useInView(canvas);
  useStream(canvas, { session, tab, tier, maxFps, open, onStatus, onPainted });
  return (
    <canvas
      ref={canvas}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={cn('block size-full object-contain', align === 'top' && 'object-top', className)}
    />
  );
}

/** Whether an element is in view, or within `margin` of it. */
function useInView(element: RefObject<Element | null>, margin = '200px'): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: margin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, margin]);
  return inView;
}
