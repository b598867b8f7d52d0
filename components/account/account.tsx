'use client';

import { CircleCheck, ShieldAlert } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRights, useWorkspace } from '@/components/session-client/use-session-client';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { ListState, Section } from '@/components/ui/section';
import { useLoaded } from '@/components/use-loaded';
import { AttentionNote } from '@/components/ui/attention-note';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { EmailField } from './email-field';
import { accountApi, type AccountView } from '@/components/session-client/account-api';
import { isUsablePassword, NewPasswordField } from './new-password-field';
import { PasskeySection } from './passkey-section';
import { ProofProblem, useProof } from './proof';
import { ProviderSection } from './provider-section';
import { SecondFactorSection } from './second-factor-section';
import { SignInsSection } from './sign-ins-section';
import { WhyHere } from './why-here';

/** The reader's own account: who they are, and how they prove it (AU2). */
export function Account() {
  const t = useTranslations('account.page');
  const first = useSearchParams().has('first');
  const { data: account, error, reload } = useLoaded(accountApi.account);
  const { data: methods, error: methodsError } = useLoaded(accountApi.methods);
  const passwords = methods?.password ?? true;
  return (
    <SettingsFrame page="account" title={t('title')} lead={t(first && passwords ? 'leadFirst' : 'lead')}>
      <WhyHere connecting />
      {account && (methods ?? methodsError) ? (
        <>
          <Profile
            key={`${account.name} ${account.email}`}
            account={account}
            passwords={passwords}
            onChanged={reload}
          />
          {passwords && <Password account={account} onChanged={reload} />}
          <FactorNeeded />
          {(passwords || account.secondFactor.on) && <SecondFactorSection account={account} onChanged={reload} />}
          <PasskeySection account={account} available={methods?.passkey.available ?? true} onChanged={reload} />
          {methods?.oidc && <ProviderSection account={account} name={methods.oidc.name} onChanged={reload} />}
          <SignInsSection />
        </>
      ) : (
        <Section title={t('title')} flush>
          <ListState loading error={error} failed={t('failed')} />
        </Section>
      )}
    </SettingsFrame>
  );
}

/** Says that the workspace waits for a second factor, and leads back to it once there is one. */
function FactorNeeded() {
  const t = useTranslations('rights.account');
  const rights = useRights();
  const name = useWorkspace()?.name ?? '';
  const wall = useWorkspacePath()('');
  const needed = rights?.withheld === 'SECOND_FACTOR_NEEDED';
  const [was, setWas] = useState(false);
  if (needed && !was) setWas(true);
  if (needed)
    return (
      <AttentionNote role="alert" icon={ShieldAlert}>
        <p>{t('needed', { name })}</p>
      </AttentionNote>
    );
  if (!was || !rights) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-panel p-3">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" />
      <p className="min-w-0 flex-1 basis-48">{t('done', { name })}</p>
      <Button asChild>
        <Link href={wall}>{t('open', { name })}</Link>
      </Button>
    </div>
  );
}

interface PartProps {
  account: AccountView;
  onChanged: () => void;
}

function Profile({ account, passwords, onChanged }: PartProps & { passwords: boolean }) {
  const t = useTranslations('account');
  const [name, setName] = useState(account.name);
  const [email, setEmail] = useState(account.email ?? '');
  const task = useTask();
  const proof = useProof(account, task.error);
  const renamed = name.trim() !== account.name && name.trim() !== '';
  const moved = email.trim() !== (account.email ?? '') && email.trim() !== '';
  const save = () =>
    void task.run(
      () =>
        accountApi.change({
          ...(renamed && { name: name.trim() }),
          ...(moved && { email: email.trim(), ...proof.proof }),
        }),
      () => {
        toast.success(t('page.saved'));
        onChanged();
      },
    );
  return (
    <Section title={t('page.profile')}>
      <form
        className="flex max-w-[420px] flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label={t('name')}
          hint={t('nameHint')}
          autoComplete="name"
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.target.value)}
        />
        <EmailField {...(passwords && { hint: t('page.emailHint') })} value={email} onChange={setEmail} />
        {moved && proof.field}
        <ProofProblem title={t('page.saveFailed')} error={task.error} />
        <Button
          type="submit"
          className="self-start"
          busy={task.busy}
          disabled={!(renamed || moved) || (moved && !proof.given)}
        >
          {t('page.save')}
        </Button>
      </form>
    </Section>
  );
}

function Password({ account, onChanged }: PartProps) {
  const t = useTranslations('account');
  const [password, setPassword] = useState('');
  const task = useTask();
  const proof = useProof(account, task.error);
  const usable = isUsablePassword(password) && proof.given;
  const save = () =>
    void task.run(
      () => accountApi.setPassword({ password, ...proof.proof }),
      () => {
        toast.success(t('page.passwordSaved'));
        setPassword('');
        onChanged();
      },
    );
  return (
    <Section
      title={t('password')}
      lead={t(
        account.password ? 'page.passwordLead' : account.email === null ? 'page.passwordNoEmail' : 'page.passwordNone',
      )}
    >
      <form
        className="flex max-w-[420px] flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (usable) save();
        }}
      >
        <input type="hidden" autoComplete="username" value={account.email ?? ''} readOnly />
        {proof.field}
        <NewPasswordField label={t('newPassword.label')} value={password} onChange={setPassword} />
        <ProofProblem title={t('newPassword.failed')} error={task.error} />
        <Button type="submit" className="self-start" busy={task.busy} disabled={!usable}>
          {t(account.password ? 'page.passwordChange' : 'page.passwordSet')}
        </Button>
      </form>
    </Section>
  );
}
