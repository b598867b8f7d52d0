'use client';

import { useRef, useEffect, useState, type RefObject } from 'react';
import { cn } from '@/components/ui/cn';
import { useStream } from './use-stream';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';

export interface LivePictureProps {
  session: string;
  /** A tab id, or `active`, which follows what is acted on. */
  tab: string;
  tier: 'thumbnail' | 'standard' | 'high';
  /** Pictures per second at most. */
  maxFps?: number;
  /** Accessible name; without one the picture is decoration. */
  label?: string;
  /** Where the picture lies in a box of another shape. */
  align?: 'top' | 'center';
  className?: string;
  onStatus?: (status: StreamStatus) => void;
  /** After each painted picture: cheap things only. */
  onPainted?: (meta: FrameMeta) => void;
}

/**
 * A moving picture of a tab, letterboxed into its box and never stretched. Transparent until the first picture has
 * come; looks only while it can be seen. Only watches: the cockpit's `Viewport` also takes input.
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

/** Whether an element is on the screen or within `margin` of it. */
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
