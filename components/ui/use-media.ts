'use client';

import { useSyncExternalStore } from 'react';

/** Below the width at which Tailwind's `sm` begins. */
export const PHONE = '(max-width: 639px)';

/** Whether a media query matches. False while rendering on the server. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
