'use client';

import { useEffect, useState, type RefObject } from 'react';
import type { Size } from '@/lib/geometry/picture';

/** The inner size of an element in CSS pixels, kept current; undefined until it was measured. */
export function useBoxSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver((entries) => {
      const box = entries.at(-1)?.contentRect;
      if (box) setSize({ width: box.width, height: box.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
