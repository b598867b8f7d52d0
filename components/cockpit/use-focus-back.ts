'use client';

import { useLayoutEffect } from 'react';

/** Whoever was somewhere when this came, mostly in the page, is there again when it has gone. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
