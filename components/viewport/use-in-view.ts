'use client';

import { useEffect, useState, type RefObject } from 'react';

/** Whether an element is on the screen or within `margin` of it. */
export function useInView(element: RefObject<Element | null>, margin = '200px'): boolean {
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
