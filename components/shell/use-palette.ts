'use client';

import { useEffect, useId } from 'react';
import { addCommands, addSection, type PaletteCommand, type ShortcutSection } from './palette-store';

/**
 * Adds commands to the palette while mounted. The array must keep its identity (`useMemo`) while its commands stay the
 * same.
 */
export function usePaletteCommands(commands: readonly PaletteCommand[]): void {
  const owner = useId();
  useEffect(() => addCommands(owner, commands), [owner, commands]);
}

/** Adds shortcuts to the help while mounted. The object must keep its identity while its shortcuts stay the same. */
export function useShortcutHelp(section: ShortcutSection): void {
  const owner = useId();
  useEffect(() => addSection(owner, section), [owner, section]);
}
