'use client';

import { useEffect, useState } from 'react';

export const SECOND_MS = 1_000;

/**
 * Milliseconds left, updated once a second.
 * @param ms milliseconds from now; another number starts again
 */
export function useCountdown(ms: number): number {
  const [left, setLeft] = useState(ms);
  useEffect(() => {
    const end = performance.now() + ms;
    const timer = setInterval(() => setLeft(Math.max(0, end - performance.now())), SECOND_MS);
    return () => clearInterval(timer);
  }, [ms]);
  return left;
}
