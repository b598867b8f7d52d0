import type { LucideIcon } from 'lucide-react';
import { createStore } from 'zustand/vanilla';

export type CommandGroup = 'actions' | 'sessions' | 'appearance';

/** One line of the command palette. */
export interface PaletteCommand {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly group: CommandGroup;
  readonly icon?: LucideIcon;
  /** Shown at the end of the line; bind them elsewhere. */
  readonly keys?: readonly string[];
  /** Also found by these words. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
}

export interface ShortcutSection {
  readonly title: string;
  readonly items: readonly { readonly keys: readonly string[]; readonly label: string }[];
}

export interface PaletteState {
  readonly open: 'palette' | 'shortcuts' | undefined;
  /** By who registered them, in order of registration. */
  readonly commands: ReadonlyMap<string, readonly PaletteCommand[]>;
  readonly sections: ReadonlyMap<string, ShortcutSection>;
}

/** Of the page, not of the server: only effects write to it, and they never run there. */
export const paletteStore = createStore<PaletteState>(() => ({
  open: undefined,
  commands: new Map(),
  sections: new Map(),
}));

export function openPalette(): void {
  paletteStore.setState({ open: 'palette' });
}

export function openShortcuts(): void {
  paletteStore.setState({ open: 'shortcuts' });
}

export function closePalette(): void {
  paletteStore.setState({ open: undefined });
}

/** Offers commands until the returned function is called. */
export function addCommands(owner: string, commands: readonly PaletteCommand[]): () => void {
  paletteStore.setState(({ commands: known }) => ({ commands: new Map(known).set(owner, commands) }));
  return () => paletteStore.setState(({ commands: known }) => ({ commands: without(known, owner) }));
}

/** Lists shortcuts in the help until the returned function is called. */
export function addSection(owner: string, section: ShortcutSection): () => void {
  paletteStore.setState(({ sections: known }) => ({ sections: new Map(known).set(owner, section) }));
  return () => paletteStore.setState(({ sections: known }) => ({ sections: without(known, owner) }));
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
