'use client';

import { LogIn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useTask } from '@/components/ui/use-task';
import { accountApi } from '@/components/session-client/account-api';
import { ProviderProblem } from './why-here';

export interface ProviderButtonProps {
  /** The provider's name. */
  name: string;
  /** Where the provider leads back to. */
  to: string;
  /** The token of an invitation to accept. */
  invitation?: string;
}

/** A site that has not answered by then is left to the browser. */
const LEAVING_MS = 10_000;

/** Leaves for another site. Settles when this page is still there after a while: its button stays busy as long. */
export async function leaveFor(url: string): Promise<void> {
  window.location.assign(url);
  await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
}

/** Leads to the provider, which signs the person in and leads back. */
export function ProviderButton({ name, to, invitation }: ProviderButtonProps) {
  const t = useTranslations('account');
  const task = useTask();
  const go = () =>
    void task.run(async () => {
      const { url } = await accountApi.oidc({ to, ...(invitation !== undefined && { invitation }) });
      await leaveFor(url);
    });
  return (
    <>
      <Button size="lg" busy={task.busy} onClick={go}>
        <LogIn aria-hidden />
        <bdi className="truncate">{t('byProvider', { name })}</bdi>
      </Button>
      {task.error !== undefined && <ProviderProblem thrown={task.error} />}
    </>
  );
}
