'use client';

import { useMemo, useState, type ReactNode } from 'react';
import { ConnectDialog, type ConnectMethod } from './connect-dialog';
import { EndDialog } from './end-dialog';
import { NewSessionDialog } from './new-session-dialog';
import type { WallEntry } from './wall-list';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Dialog } from '@/components/ui/dialog';
import { DialogButtons } from '@/components/ui/dialog-buttons';
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
  | { readonly kind: 'rename'; readonly entry: WallEntry }
  | { readonly kind: 'end'; readonly entry: WallEntry };

export interface WallDialogs {
  create: () => void;
  connect: (method?: ConnectMethod) => void;
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
  if (open.kind === 'rename') return <RenameDialog session={open.entry.session} onClose={onClose} />;
  return <EndDialog entry={open.entry} onClose={onClose} />;
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
    <Dialog
      open
      onOpenChange={onClose}
      returnFocus={() => cardLink(session.id)}
      title={t('title')}
      footer={<DialogButtons form="rename" word={t('save')} busy={task.busy} usable={good} onClose={onClose} />}
    >
      <form
        id="rename"
        onSubmit={(event) => {
          event.preventDefault();
          if (good && !task.busy) save();
        }}
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
      </form>
    </Dialog>
  );
}
