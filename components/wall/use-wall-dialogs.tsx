'use client';

import { useMemo, useState, type ReactNode } from 'react';
import { ConnectDialog, type ConnectMethod } from './connect-dialog';
import { EndDialog } from './end-dialog';
import { NewSessionDialog } from './new-session-dialog';
import { RenameDialog } from './rename-dialog';
import type { WallEntry } from './wall-list';

type Open =
  | { readonly sort: 'create' }
  | { readonly sort: 'connect'; readonly way: ConnectMethod }
  | { readonly sort: 'rename'; readonly entry: WallEntry }
  | { readonly sort: 'end'; readonly entry: WallEntry };

export interface WallDialogs {
  create: () => void;
  connect: (way?: ConnectMethod) => void;
  rename: (entry: WallEntry) => void;
  end: (entry: WallEntry) => void;
  /** The open dialog, to be rendered once. */
  node: ReactNode;
}

/** The dialogs of the wall, one at a time. */
export function useWallDialogs(): WallDialogs {
  const [open, setOpen] = useState<Open>();
  const openers = useMemo(
    () => ({
      create: () => setOpen({ sort: 'create' }),
      connect: (way: ConnectMethod = 'curl') => setOpen({ sort: 'connect', way }),
      rename: (entry: WallEntry) => setOpen({ sort: 'rename', entry }),
      end: (entry: WallEntry) => setOpen({ sort: 'end', entry }),
    }),
    [],
  );
  return useMemo(
    () => ({ ...openers, node: open && <OpenDialog open={open} onClose={() => setOpen(undefined)} /> }),
    [openers, open],
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  if (open.sort === 'create') return <NewSessionDialog onClose={onClose} />;
  if (open.sort === 'connect') return <ConnectDialog first={open.way} onClose={onClose} />;
  if (open.sort === 'rename') return <RenameDialog session={open.entry.session} onClose={onClose} />;
  return <EndDialog entry={open.entry} onClose={onClose} />;
}
