'use client';

import { ThemeProvider as NextThemes } from 'next-themes';
import type { ReactNode } from 'react';

export const THEMES = ['light', 'dark', 'system'] as const;

/**
 * Light, dark or like the system, kept in this browser. `nonce` lets the small script run that avoids a flash of the
 * wrong theme.
 */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <NextThemes
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      storageKey="wh-theme"
      {...(nonce !== undefined && { nonce })}
    >
      {children}
    </NextThemes>
  );
}
