'use client';

import { ThemeProvider as NextThemes } from 'next-themes';
import type { ReactNode } from 'react';

export const THEMES = ['light', 'dark', 'system'] as const;

/**
 * Provides the theme: light, dark or the system's, stored in this browser. `nonce` allows the small inline script that
 * avoids a flash of the wrong theme.
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
