'use client';

import { useEffect, useId } from 'react';
import { addCommands, addSection, type PaletteCommand, type ShortcutSection } from './palette-store';

/** Offers commands in the palette while mounted. Keep the array's identity (`useMemo`) while nothing in it changes. */
export function usePaletteCommands(commands: readonly PaletteCommand[]): void {
  const owner = useId();
  useEffect(() => addCommands(owner, commands), [owner, commands]);
}

/** Lists shortcuts in the `?` help while mounted. Keep the object's identity while nothing in it changes. */
export function useShortcutHelp(section: ShortcutSection): void {
  const owner = useId();
  useEffect(() => addSection(owner, section), [owner, section]);
}
