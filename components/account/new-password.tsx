'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { useTask } from '@/components/ui/use-task';
import { asWheelhouseError } from '@/lib/errors/error';
import { AccountFrame } from './account-frame';
import { accountApi } from '@/components/session-client/account-api';
import { isUsablePassword, NewPasswordField } from './new-password-field';
import { useToken } from './use-token';

/** Sets a new password by the token of a link, which works once (AU2). */
export function NewPassword() {
  const t = useTranslations('account.newPassword');
  const token = useToken();
  const task = useTask();
  const [password, setPassword] = useState('');
  const [done, setDone] = useState(false);
  const dead = token === '' || (task.error !== undefined && asWheelhouseError(task.error).code === 'NOT_FOUND');
  if (token === undefined)
    return (
      <AccountFrame title={t('title')} heading={t('title')}>
        <Skeleton className="h-40" />
      </AccountFrame>
    );
  if (dead || done)
    return (
      <AccountFrame title={t('title')} heading={t(done ? 'done' : 'dead')} lead={t(done ? 'doneLead' : 'deadLead')}>
        <Button asChild variant="primary" size="lg" className="self-start">
          <a href="/sign-in">{t('toSignIn')}</a>
        </Button>
      </AccountFrame>
    );
  return (
    <AccountFrame title={t('title')} heading={t('title')} lead={t('lead')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsablePassword(password))
            void task.run(
              () => accountApi.newPassword(token, password),
              () => setDone(true),
            );
        }}
      >
        <NewPasswordField label={t('label')} value={password} onChange={setPassword} />
        <Button type="submit" variant="primary" size="lg" busy={task.busy} disabled={!isUsablePassword(password)}>
          {t('save')}
        </Button>
        {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
      </form>
    </AccountFrame>
  );
}
