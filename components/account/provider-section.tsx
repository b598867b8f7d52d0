'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Section } from '@/components/ui/section';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { useTask } from '@/components/ui/use-task';
import { accountApi, type AccountView } from '@/components/session-client/account-api';
import { ProofProblem, useProof } from './proof';
import { ProofDialog } from './proof-dialog';
import { leaveFor } from './provider-button';
import { ProviderProblem } from './why-here';

interface ProviderSectionProps {
  account: AccountView;
  /** The provider's name. */
  name: string;
  onChanged: () => void;
}

/** Whether the account is connected with the server's provider, and the button that connects or parts them. */
export function ProviderSection({ account, name, onChanged }: ProviderSectionProps) {
  const t = useTranslations('account.page.provider');
  const [removing, setRemoving] = useState(false);
  return (
    <Section
      title={t('title', { name })}
      lead={t(account.oidc ? 'connectedLead' : 'lead', { name })}
      action={account.oidc && <Chip tone="ok">{t('connected')}</Chip>}
    >
      {account.oidc ? (
        <Button className="self-start" onClick={() => setRemoving(true)}>
          {t('remove')}
        </Button>
      ) : (
        <Connect account={account} name={name} />
      )}
      {removing && (
        <RemoveDialog account={account} name={name} onChanged={onChanged} onClose={() => setRemoving(false)} />
      )}
    </Section>
  );
}

function Connect({ account, name }: Omit<ProviderSectionProps, 'onChanged'>) {
  const t = useTranslations('account.page.provider');
  const task = useTask();
  const proof = useProof(account, task.error);
  const connect = () =>
    void task.run(async () => {
      const { url } = await accountApi.oidc({ connect: true, to: window.location.pathname, ...proof.proof });
      await leaveFor(url);
    });
  return (
    <form
      className="flex max-w-[420px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (proof.given) connect();
      }}
    >
      {proof.field}
      <ProofProblem
        title={t('notBegun')}
        error={task.error}
        other={<ProviderProblem thrown={task.error} connecting />}
      />
      <Button type="submit" className="self-start" busy={task.busy} disabled={!proof.given}>
        <bdi className="truncate">{t('connect', { name })}</bdi>
      </Button>
    </form>
  );
}

function RemoveDialog({ account, name, onChanged, onClose }: ProviderSectionProps & { onClose: () => void }) {
  const t = useTranslations('account.page.provider');
  return (
    <ProofDialog
      account={account}
      title={t('removeTitle', { name })}
      lead={t('removeLead', { name })}
      word={t('removeDo')}
      failed={t('removeFailed')}
      danger
      change={accountApi.removeProvider}
      onDone={() => {
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
