'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { samePageIn } from '@/components/session-client/workspace';
import { workspaceApi } from '@/components/session-client/workspace-api';
import { useNameProblem } from './name-problem';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';

/** Makes a workspace and opens its wall. Only the owner of the server can. Mounted only while open. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.workspaces');
  const router = useRouter();
  const task = useTask();
  const [name, setName] = useState('');
  const problem = useNameProblem(name);
  const usable = problem === undefined && name !== '';
  const make = () =>
    void task.run(
      () => workspaceApi.make(name),
      ({ id }) => {
        onClose();
        router.push(samePageIn(id, ''));
      },
    );
  return (
    <FormDialog
      title={t('newTitle')}
      description={t('newLead')}
      word={t('make')}
      busy={task.busy}
      usable={usable}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t('name')}
        placeholder={t('namePlaceholder')}
        value={name}
        dir="auto"
        problem={name === '' ? undefined : problem}
        onChange={(event) => setName(event.target.value)}
      />
      {task.error !== undefined && <ProblemNote title={t('makeFailed')} thrown={task.error} />}
    </FormDialog>
  );
}
