'use client';

import { useMemo, useState, type ReactNode } from 'react';
import { ConnectDialog, type ConnectMethod } from './connect-dialog';
import { EndDialog } from './end-dialog';
import { NewSessionDialog } from './new-session-dialog';
import type { WallEntry } from './wall-list';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { useYou } from '@/components/session-client/use-session-client';
import { ShareDialog } from '@/components/share/share-dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { useTask } from '@/components/ui/use-task';
import { useProblem } from '@/components/ui/use-problem';
import { cardLink } from './card-focus';

const MAX_NAME = 80;

interface RenameDialogProps {
  session: { id: string; name: string };
  onClose: () => void;
}

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'connect'; readonly method: ConnectMethod }
  | { readonly kind: 'share'; readonly entry: WallEntry }
  | { readonly kind: 'rename'; readonly entry: WallEntry }
  | { readonly kind: 'end'; readonly entry: WallEntry };

export interface WallDialogs {
  create: () => void;
  connect: (method?: ConnectMethod) => void;
  share: (entry: WallEntry) => void;
  rename: (entry: WallEntry) => void;
  end: (entry: WallEntry) => void;
  /** The open dialog, to be rendered once. */
  node: ReactNode;
}

/** The dialogs of the wall, of which one is open at a time. */
export function useWallDialogs(): WallDialogs {
  const [open, setOpen] = useState<Open>();
  const openers = useMemo(
    () => ({
      create: () => setOpen({ kind: 'create' }),
      connect: (method: ConnectMethod = 'curl') => setOpen({ kind: 'connect', method }),
      share: (entry: WallEntry) => setOpen({ kind: 'share', entry }),
      rename: (entry: WallEntry) => setOpen({ kind: 'rename', entry }),
      end: (entry: WallEntry) => setOpen({ kind: 'end', entry }),
    }),
    [],
  );
  return useMemo(
    () => ({ ...openers, node: open && <OpenDialog open={open} onClose={() => setOpen(undefined)} /> }),
    [openers, open],
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  if (open.kind === 'create') return <NewSessionDialog onClose={onClose} />;
  if (open.kind === 'connect') return <ConnectDialog first={open.method} onClose={onClose} />;
  if (open.kind === 'share') return <ShareCard entry={open.entry} onClose={onClose} />;
  if (open.kind === 'rename') return <RenameDialog session={open.entry.session} onClose={onClose} />;
  return <EndDialog entry={open.entry} onClose={onClose} />;
}

function ShareCard({ entry: { session }, onClose }: { entry: WallEntry; onClose: () => void }) {
  const grants = useYou()?.grants ?? [];
  return <ShareDialog session={session} grants={grants} returnFocus={() => cardLink(session.id)} onClose={onClose} />;
}

/** Renames a session. Mounted only while open. */
function RenameDialog({ session, onClose }: RenameDialogProps) {
  const t = useTranslations('wall.rename');
  const problem = useProblem();
  const [name, setName] = useState(session.name);
  const task = useTask();
  const good = name.trim() !== '' && name.trim().length <= MAX_NAME;
  const save = () => void task.run(() => api.renameSession(session.id, name.trim()), onClose);
  const trouble = task.error === undefined ? undefined : `${t('failed')} ${problem(task.error).what}`;
  return (
    <FormDialog
      returnFocus={() => cardLink(session.id)}
      title={t('title')}
      word={t('save')}
      busy={task.busy}
      usable={good}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label={t('label')}
        value={name}
        maxLength={MAX_NAME}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        problem={good ? trouble : t('empty')}
      />
    </FormDialog>
  );
}
