'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useTask } from '@/components/ui/use-task';
import { AccountFrame } from './account-frame';
import { EmailField } from './email-field';
import { accountApi } from '@/components/session-client/account-api';
import { useFailure } from './use-failure';

/** Asks for a link to a new password. What it says never tells whether the address has an account here. */
export function Forgotten({ onBack }: { onBack: () => void }) {
  const t = useTranslations('account.forgotten');
  const account = useTranslations('account');
  const failure = useFailure();
  const task = useTask();
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState<{ mail: boolean }>();
  const usable = email.trim() !== '';
  return (
    <AccountFrame title={t('heading')} heading={t('heading')} lead={asked ? undefined : t('lead')}>
      {asked ? (
        <p role="status">{t(asked.mail ? 'mailed' : 'noMail')}</p>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (usable) void task.run(() => accountApi.forgotten(email.trim()), setAsked);
          }}
        >
          <EmailField
            autoFocus
            value={email}
            problem={task.error === undefined ? undefined : failure('password', task.error)}
            onChange={setEmail}
          />
          <Button type="submit" variant="primary" size="lg" busy={task.busy} disabled={!usable}>
            {t('ask')}
          </Button>
        </form>
      )}
      <Button variant="ghost" size="sm" className="self-start" onClick={onBack}>
        {account('back')}
      </Button>
    </AccountFrame>
  );
}
