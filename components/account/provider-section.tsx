'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Section } from '@/components/settings/settings-frame';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Dialog } from '@/components/ui/dialog';
import { DialogButtons } from '@/components/ui/dialog-buttons';
import { useTask } from '@/components/ui/use-task';
import { accountApi, type AccountView } from './api';
import { ProofProblem, useProof } from './proof';

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

function RemoveDialog({ account, name, onChanged, onClose }: ProviderSectionProps & { onClose: () => void }) {
  const t = useTranslations('account.page.provider');
  const task = useTask();
  const proof = useProof(account, task.error);
  const remove = () =>
    void task.run(
      () => accountApi.removeProvider(proof.proof),
      () => {
        onChanged();
        onClose();
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('removeTitle', { name })}
      description={t('removeLead', { name })}
      footer={
        <DialogButtons
          form="provider-remove"
          word={t('removeDo')}
          busy={task.busy}
          usable={proof.given}
          danger
          onClose={onClose}
        />
      }
    >
      <form
        id="provider-remove"
        className="flex flex-col gap-3 empty:hidden"
        onSubmit={(event) => {
          event.preventDefault();
          if (proof.given) remove();
        }}
      >
        {proof.field}
        <ProofProblem title={t('removeFailed')} error={task.error} />
      </form>
    </Dialog>
  );
}
