import type { LucideIcon } from 'lucide-react';
import { createStore } from 'zustand/vanilla';

export type CommandGroup = 'actions' | 'sessions' | 'pages' | 'appearance';

/** One line of the command palette. */
export interface PaletteCommand {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly group: CommandGroup;
  readonly icon?: LucideIcon;
  /** Shown at the end of the line; the hotkey itself is bound elsewhere. */
  readonly keys?: readonly string[];
  /** Further words that find the command. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
}

export interface ShortcutSection {
  readonly title: string;
  readonly items: readonly { readonly keys: readonly string[]; readonly label: string }[];
}

export interface PaletteState {
  readonly open: 'palette' | 'shortcuts' | undefined;
  /** By owner, in order of registration. */
  readonly commands: ReadonlyMap<string, readonly PaletteCommand[]>;
  readonly sections: ReadonlyMap<string, ShortcutSection>;
}

/** Commands and shortcuts of this page. Only effects write to it, which never run on the server. */
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

/** Adds commands until the returned function is called. */
export function addCommands(owner: string, commands: readonly PaletteCommand[]): () => void {
  paletteStore.setState(({ commands: known }) => ({ commands: new Map(known).set(owner, commands) }));
  return () => paletteStore.setState(({ commands: known }) => ({ commands: without(known, owner) }));
}

/** Adds shortcuts to the help until the returned function is called. */
export function addSection(owner: string, section: ShortcutSection): () => void {
  paletteStore.setState(({ sections: known }) => ({ sections: new Map(known).set(owner, section) }));
  return () => paletteStore.setState(({ sections: known }) => ({ sections: without(known, owner) }));
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
