'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { useTask } from '@/components/ui/use-task';
import { AccountFrame } from './account-frame';
import { accountApi } from '@/components/session-client/account-api';
import { ClocksApart } from './clocks';
import { useFailure } from './use-failure';

export interface SecondFactorProps {
  /** Milliseconds that the server's clock is ahead of this browser's. */
  difference: number;
  onSignedIn: () => void;
  onBack: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, or one of the recovery codes. */
export function SecondFactor({ difference, onSignedIn, onBack }: SecondFactorProps) {
  const t = useTranslations('account');
  const [by, setBy] = useState<'code' | 'recovery'>('code');
  return (
    <AccountFrame title={t('signIn')} heading={t(`factor.${by}.heading`)} lead={t(`factor.${by}.lead`)}>
      {by === 'code' && <ClocksApart difference={difference} />}
      <CodeForm key={by} by={by} onSignedIn={onSignedIn} />
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" size="sm" onClick={() => setBy(by === 'code' ? 'recovery' : 'code')}>
          {t(`factor.${by}.other`)}
        </Button>
        <Button variant="ghost" size="sm" onClick={onBack}>
          {t('back')}
        </Button>
      </div>
    </AccountFrame>
  );
}

function CodeForm({ by, onSignedIn }: { by: 'code' | 'recovery'; onSignedIn: () => void }) {
  const t = useTranslations('account');
  const failure = useFailure();
  const task = useTask();
  const [code, setCode] = useState('');
  const typed = by === 'code' ? code.replace(/\D/gu, '') : code.trim();
  const usable = by === 'code' ? typed.length === 6 : typed !== '';
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable) void task.run(() => accountApi[by](typed), onSignedIn);
      }}
    >
      <Field
        autoFocus
        label={t(`factor.${by}.label`)}
        value={code}
        maxLength={40}
        autoComplete="one-time-code"
        {...(by === 'code' && { inputMode: 'numeric' })}
        problem={task.error === undefined ? undefined : failure(by, task.error)}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" variant="primary" size="lg" busy={task.busy} disabled={!usable}>
        {t('signIn')}
      </Button>
    </form>
  );
}
