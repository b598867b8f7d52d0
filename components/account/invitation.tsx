'use client';

import { useCallback, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useLoaded } from '@/components/use-loaded';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { useProblem } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import { asWheelhouseError } from '@/lib/errors/error';
import { AccountFrame, Or } from './account-frame';
import { EmailField } from './email-field';
import { accountApi, type InvitationOffer } from '@/components/session-client/account-api';
import { isUsablePassword, NewPasswordField } from './new-password-field';
import { ProviderButton } from './provider-button';
import { useToken } from './use-token';

/** What an invitation offers, and the account that it makes; or joining with the account that one has (AU2). */
export function Invitation() {
  const t = useTranslations('account.invitation');
  const token = useToken();
  if (token === undefined)
    return (
      <AccountFrame title={t('title')} heading={<Skeleton className="h-8" />}>
        {null}
      </AccountFrame>
    );
  if (token === '') return <Dead />;
  return <Offer key={token} token={token} />;
}

/** An invitation that was used or withdrawn, has ended, or never was. */
function Dead() {
  const t = useTranslations('account.invitation');
  return (
    <AccountFrame title={t('title')} heading={t('dead')} lead={t('deadLead')}>
      <Button asChild size="lg" className="self-start">
        <a href="/">{t('toWall')}</a>
      </Button>
    </AccountFrame>
  );
}

function Offer({ token }: { token: string }) {
  const t = useTranslations('account.invitation');
  const people = useTranslations('settings.people');
  const format = useFormatter();
  const common = useTranslations('common');
  const offer = useLoaded(useCallback(() => accountApi.openInvitation(token), [token]));
  // Who is signed in; an error for those who are not.
  const { data: you, error: signedOut } = useLoaded(accountApi.account);
  const known = you !== undefined || signedOut !== undefined;
  if (offer.error !== undefined && asWheelhouseError(offer.error).code === 'NOT_FOUND') return <Dead />;
  const { data } = offer;
  return (
    <AccountFrame
      title={t('title')}
      heading={data ? <bdi>{t('heading', { workspace: data.workspace })}</bdi> : t('title')}
      lead={
        data &&
        t('lead', {
          role: people(`role.${data.role}`),
          until: format.dateTime(new Date(data.expiresAt), { dateStyle: 'medium', timeStyle: 'short' }),
        })
      }
    >
      {data && <p className="text-ink-2">{people(`roleHint.${data.role}`)}</p>}
      {offer.error !== undefined && (
        <ProblemNote
          title={t('openFailed')}
          thrown={offer.error}
          action={<Button onClick={offer.reload}>{common('retry')}</Button>}
        />
      )}
      {!(data && known) && offer.error === undefined && <Skeleton className="h-48" />}
      {data && known && (you ? <Join token={token} name={you.name} /> : <Newcomer token={token} offer={data} />)}
    </AccountFrame>
  );
}

/** The wall of a workspace. */
const wallOf = (workspace: string) => `/w/${encodeURIComponent(workspace)}`;

/** Opens the workspace of the invitation, with a load, so that the page's socket is signed in, too. */
const enter = ({ workspace }: { workspace: string }) => window.location.assign(wallOf(workspace));

function Join({ token, name }: { token: string; name: string }) {
  const t = useTranslations('account.invitation');
  const task = useTask();
  return (
    <>
      <Button
        variant="primary"
        size="lg"
        busy={task.busy}
        onClick={() => void task.run(() => accountApi.acceptInvitation({ token }), enter)}
      >
        <bdi className="truncate">{t('join', { name })}</bdi>
      </Button>
      <p className="text-xs text-ink-3">{t('joinOther')}</p>
      {task.error !== undefined && <ProblemNote title={t('joinFailed')} thrown={task.error} />}
    </>
  );
}

function Newcomer({ token, offer }: { token: string; offer: InvitationOffer }) {
  const t = useTranslations('account');
  const methods = useLoaded(accountApi.methods).data;
  return (
    <>
      {methods?.password !== false && <NewAccount token={token} email={offer.email} />}
      {methods?.oidc && methods.password && <Or word={t('or')} />}
      {methods?.oidc && <ProviderButton name={methods.oidc.name} to={wallOf(offer.workspaceId)} invitation={token} />}
      <p className="text-ink-2">
        {t('invitation.have')}{' '}
        <a className="font-medium text-ink underline underline-offset-2" href={SIGN_IN_AND_BACK}>
          {t('invitation.haveLink')}
        </a>
      </p>
    </>
  );
}

/** Signs in, and comes back to this page, which has kept its token. */
const SIGN_IN_AND_BACK = `/sign-in?to=${encodeURIComponent('/invitation')}`;

function NewAccount({ token, email }: { token: string; email: string | null }) {
  const t = useTranslations('account');
  const problem = useProblem();
  const task = useTask();
  const [draft, setDraft] = useState({ name: '', email: email ?? '', password: '' });
  const set = (part: Partial<typeof draft>) => setDraft((was) => ({ ...was, ...part }));
  const usable = draft.name.trim() !== '' && draft.email.trim() !== '' && isUsablePassword(draft.password);
  const taken = task.error !== undefined && asWheelhouseError(task.error).code === 'CONFLICT';
  const accept = () =>
    void task.run(
      () =>
        accountApi.acceptInvitation({
          token,
          ...{ name: draft.name.trim(), email: draft.email.trim(), password: draft.password },
        }),
      enter,
    );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable) accept();
      }}
    >
      <Field
        autoFocus
        label={t('name')}
        hint={t('nameHint')}
        autoComplete="name"
        value={draft.name}
        maxLength={80}
        onChange={(event) => set({ name: event.target.value })}
      />
      <EmailField
        value={draft.email}
        readOnly={email !== null}
        {...(email !== null && { hint: t('invitation.onlyFor') })}
        problem={taken ? problem(task.error).what : undefined}
        onChange={(address) => set({ email: address })}
      />
      <NewPasswordField
        label={t('newPassword.label')}
        value={draft.password}
        onChange={(password) => set({ password })}
      />
      <Button type="submit" variant="primary" size="lg" busy={task.busy} disabled={!usable}>
        {t('invitation.accept')}
      </Button>
      {task.error !== undefined && !taken && <ProblemNote title={t('invitation.acceptFailed')} thrown={task.error} />}
    </form>
  );
}
