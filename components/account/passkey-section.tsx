'use client';

import { Fingerprint, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWhen } from '@/components/messages/use-when';
import { ListState, Section } from '@/components/ui/section';
import { useLoaded } from '@/components/use-loaded';
import { Button } from '@/components/ui/button';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { asWheelhouseError } from '@/lib/errors/error';
import { accountApi, type AccountView, type PasskeyView } from '@/components/session-client/account-api';
import { makePasskey, usePasskeyProblem } from './passkeys';
import { ProofProblem, useProof } from './proof';
import { ProofDialog } from './proof-dialog';

interface PasskeySectionProps {
  account: AccountView;
  onChanged: () => void;
}

/** The passkeys of the account: add one with this device, remove one. */
export function PasskeySection({
  account,
  available,
  onChanged,
}: PasskeySectionProps & {
  /** Whether the address of this page allows passkeys. */
  available: boolean;
}) {
  const t = useTranslations('account.page.passkeys');
  const words = useTranslations('account');
  const { ago } = useWhen();
  const passkeys = useLoaded(accountApi.passkeys);
  const [open, setOpen] = useState<'add' | PasskeyView>();
  const changed = () => {
    passkeys.reload();
    onChanged();
  };
  const close = () => setOpen(undefined);
  return (
    <Section
      title={t('title')}
      lead={available ? t('lead') : words('noPasskeyHere')}
      flush
      action={available && <Button onClick={() => setOpen('add')}>{t('add')}</Button>}
    >
      {passkeys.data && passkeys.data.length > 0 ? (
        <ul className="divide-y divide-line">
          {passkeys.data.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-3 px-4 py-2.5">
              <Fingerprint aria-hidden className="size-5 shrink-0 text-ink-3" />
              <div className="min-w-0 flex-1">
                <bdi className="block truncate font-medium">{passkey.name ?? t('unnamed')}</bdi>
                {passkey.createdAt !== null && (
                  <p className="text-xs text-ink-2">{t('added', { ago: ago(passkey.createdAt) })}</p>
                )}
              </div>
              <IconButton
                size="icon-sm"
                label={t('remove', { name: passkey.name ?? t('unnamed') })}
                onClick={() => setOpen(passkey)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : (
        <ListState loading={!passkeys.data} error={passkeys.error} failed={t('failed')} empty={t('none')} />
      )}
      {open === 'add' && <AddDialog account={account} onChanged={changed} onClose={close} />}
      {typeof open === 'object' && (
        <RemoveDialog passkey={open} account={account} onChanged={changed} onClose={close} />
      )}
    </Section>
  );
}

interface DialogProps extends PasskeySectionProps {
  onClose: () => void;
}

function AddDialog({ account, onChanged, onClose }: DialogProps) {
  const t = useTranslations('account.page.passkeys');
  const problemOf = usePasskeyProblem();
  const task = useTask();
  const proof = useProof(account, task.error);
  const [name, setName] = useState('');
  const usable = name.trim() !== '' && proof.given;
  const add = () =>
    void task.run(
      async () => {
        const response = await makePasskey(await accountApi.newPasskeyOptions(proof.proof));
        await accountApi.addPasskey({ name: name.trim(), response });
      },
      () => {
        toast.success(t('done'));
        onChanged();
        onClose();
      },
    );
  const ours = task.error !== undefined && asWheelhouseError(task.error).code === 'FORBIDDEN';
  return (
    <FormDialog
      title={t('add')}
      description={t('addLead')}
      word={t('addDo')}
      busy={task.busy}
      usable={usable}
      onSubmit={add}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t('name')}
        placeholder={t('namePlaceholder')}
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.target.value)}
      />
      {proof.field}
      {ours && <ProofProblem title={t('addFailed')} error={task.error} />}
      {task.error !== undefined && !ours && (
        <p role="alert" className="text-stuck">
          {problemOf(task.error)}
        </p>
      )}
    </FormDialog>
  );
}

function RemoveDialog({ passkey, account, onChanged, onClose }: DialogProps & { passkey: PasskeyView }) {
  const t = useTranslations('account.page.passkeys');
  return (
    <ProofDialog
      account={account}
      title={<bdi>{t('removeTitle', { name: passkey.name ?? t('unnamed') })}</bdi>}
      lead={t('removeLead')}
      word={t('removeDo')}
      failed={t('removeFailed')}
      danger
      change={(proof) => accountApi.removePasskey(passkey.id, proof)}
      onDone={() => {
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
