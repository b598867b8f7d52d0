'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { useTask } from '@/components/ui/use-task';
import { useProblem } from '@/components/ui/use-problem';
import { cardLink } from './card-focus';

const MAX_NAME = 80;

export interface RenameDialogProps {
  session: { id: string; name: string };
  onClose: () => void;
}

/** Gives a session another name. Mounted only while open. */
export function RenameDialog({ session, onClose }: RenameDialogProps) {
  const t = useTranslations('wall.rename');
  const common = useTranslations('common');
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
      footer={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" form="rename" disabled={!good} busy={task.busy}>
            {t('save')}
          </Button>
        </>
      }
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
