'use client';

import { useTranslations } from 'use-intl';
import { Section } from '@/components/settings/settings-frame';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { useTask } from '@/components/ui/use-task';
import { accountApi, type AccountView } from './api';
import { ProofProblem, useProof } from './proof';

interface ProviderSectionProps {
  account: AccountView;
  /** The provider's name. */
  name: string;
}

/** Whether the account is connected with the server's provider, and the button that connects them. */
export function ProviderSection({ account, name }: ProviderSectionProps) {
  const t = useTranslations('account.page.provider');
  return (
    <Section
      title={t('title', { name })}
      lead={t(account.oidc ? 'connectedLead' : 'lead', { name })}
      action={account.oidc && <Chip tone="ok">{t('connected')}</Chip>}
    >
      {!account.oidc && <Connect account={account} name={name} />}
    </Section>
  );
}

function Connect({ account, name }: ProviderSectionProps) {
  const t = useTranslations('account.page.provider');
  const task = useTask();
  const proof = useProof(account, task.error);
  const connect = () =>
    void task.run(
      () => accountApi.oidc({ connect: true, to: window.location.pathname, ...proof.proof }),
      ({ url }) => window.location.assign(url),
    );
  return (
    <form
      className="flex max-w-[420px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (proof.given) connect();
      }}
    >
      {proof.field}
      <ProofProblem title={t('notBegun')} error={task.error} />
      <Button type="submit" className="self-start" busy={task.busy} disabled={!proof.given}>
        <bdi className="truncate">{t('connect', { name })}</bdi>
      </Button>
    </form>
  );
}
