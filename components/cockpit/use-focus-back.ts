'use client';

import { useLayoutEffect } from 'react';

/** Restores the focus, when the component unmounts, to the element that had it before. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
