'use client';

import { LogIn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import { accountApi } from './api';

export interface ProviderButtonProps {
  /** The provider's name. */
  name: string;
  /** Where the provider leads back to. */
  to: string;
  /** The token of an invitation to accept. */
  invitation?: string;
}

/** Leads to the provider, which signs the visitor in and leads back. */
export function ProviderButton({ name, to, invitation }: ProviderButtonProps) {
  const t = useTranslations('account');
  const task = useTask();
  const go = () =>
    void task.run(
      () => accountApi.oidc({ to, ...(invitation !== undefined && { invitation }) }),
      ({ url }) => window.location.assign(url),
    );
  return (
    <>
      <Button size="lg" busy={task.busy} onClick={go}>
        <LogIn aria-hidden />
        <bdi className="truncate">{t('byProvider', { name })}</bdi>
      </Button>
      {task.error !== undefined && <ProblemNote title={t('providerFailed')} thrown={task.error} />}
    </>
  );
}
