'use client';

import { Fingerprint } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLoaded } from '@/components/use-loaded';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { useTask } from '@/components/ui/use-task';
import { returnAddress } from '@/lib/text/return-address';
import { AccountFrame, Or } from './account-frame';
import { EmailField } from './email-field';
import { accountApi, clockDifference, type SignInMethods } from '@/components/session-client/account-api';
import { Forgotten } from './forgotten';
import { usePasskeySignIn } from './passkeys';
import { ProviderButton } from './provider-button';
import { SecondFactor } from './second-factor';
import { useFailure } from './use-failure';
import { WhyHere } from './why-here';

type Step = { readonly at: 'start' | 'forgotten' } | { readonly at: 'code'; readonly difference: number };

/** Leaves for the page that the person came for; with a load, so that its socket is signed in, too. */
function leave(to: string): void {
  window.location.assign(to);
}

/** The sign-in page: password and second factor, passkey, provider, or the link that the server prints (AU1, AU2). */
export function SignIn() {
  const t = useTranslations('account');
  const to = returnAddress(useSearchParams().get('to'));
  const methods = useLoaded(accountApi.methods);
  const [step, setStep] = useState<Step>({ at: 'start' });
  const start = () => setStep({ at: 'start' });
  if (step.at === 'code')
    return <SecondFactor difference={step.difference} onSignedIn={() => leave(to)} onBack={start} />;
  if (step.at === 'forgotten') return <Forgotten onBack={start} />;
  const known = methods.data;
  const linkOnly = known?.accounts === false && !known.oidc;
  return (
    <AccountFrame
      title={t('signIn')}
      heading={t(linkOnly ? 'linkHeading' : 'signIn')}
      lead={linkOnly ? t('linkLead') : undefined}
      below={known?.accounts && <ByLink />}
    >
      <WhyHere />
      {methods.error !== undefined && (
        <ProblemNote
          title={t('methodsFailed')}
          thrown={methods.error}
          action={<Button onClick={methods.reload}>{t('again')}</Button>}
        />
      )}
      {known?.accounts && (
        <Methods
          methods={known}
          to={to}
          onCode={(now) => setStep({ at: 'code', difference: clockDifference(now) })}
          onForgotten={() => setStep({ at: 'forgotten' })}
        />
      )}
      {known?.accounts === false && known.oidc && (
        <>
          <ProviderButton name={known.oidc.name} to={to} />
          <Or word={t('or')} />
          <p>{t('linkLead')}</p>
        </>
      )}
      {known?.accounts === false && <LinkSteps />}
      {!known && methods.error === undefined && <Skeleton className="h-56" />}
    </AccountFrame>
  );
}

interface MethodsProps {
  methods: SignInMethods;
  to: string;
  /** @param now the server's time */
  onCode: (now: string) => void;
  onForgotten: () => void;
}

function Methods({ methods, to, onCode, onForgotten }: MethodsProps) {
  const t = useTranslations('account');
  const others = methods.oidc !== undefined || methods.passkey.available;
  return (
    <>
      {methods.password && <ByPassword to={to} onCode={onCode} onForgotten={onForgotten} />}
      {methods.password && others && <Or word={t('or')} />}
      <div className="flex flex-col gap-2 empty:hidden">
        {methods.passkey.available && <ByPasskey to={to} />}
        {methods.oidc && <ProviderButton name={methods.oidc.name} to={to} />}
      </div>
      {!methods.passkey.available && <p className="text-xs text-ink-3">{t('noPasskeyHere')}</p>}
    </>
  );
}

function ByPassword({ to, onCode, onForgotten }: Omit<MethodsProps, 'methods'>) {
  const t = useTranslations('account');
  const failure = useFailure();
  const task = useTask();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = () =>
    void task.run(
      () => accountApi.password(email, password),
      (outcome) => ('signedIn' in outcome ? leave(to) : onCode(outcome.now)),
    );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (email.trim() !== '' && password !== '') submit();
      }}
    >
      <EmailField autoFocus value={email} onChange={setEmail} />
      <Field
        label={t('password')}
        type="password"
        autoComplete="current-password"
        value={password}
        maxLength={200}
        problem={task.error === undefined ? undefined : failure('password', task.error)}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={task.busy}
        disabled={email.trim() === '' || password === ''}
      >
        {t('signIn')}
      </Button>
      <Button variant="ghost" size="sm" className="self-center" onClick={onForgotten}>
        {t('forgotten.open')}
      </Button>
    </form>
  );
}

function ByPasskey({ to }: { to: string }) {
  const t = useTranslations('account');
  const passkey = usePasskeySignIn(() => leave(to));
  return (
    <>
      <Button size="lg" busy={passkey.busy} onClick={passkey.start}>
        <Fingerprint aria-hidden />
        {t('byPasskey')}
      </Button>
      {passkey.problem !== undefined && (
        <p role="alert" className="text-xs text-stuck">
          {passkey.problem}
        </p>
      )}
    </>
  );
}

/** The command that prints a new sign-in link, for people who can read the data directory. */
const PRINT_COMMAND = 'npm start -- --link';

function ByLink() {
  const t = useTranslations('account');
  return (
    <details className="text-ink-2">
      <summary className="w-fit cursor-pointer text-xs">{t('locked')}</summary>
      <div className="mt-3 flex flex-col gap-2 text-base">
        <p>{t('lockedAsk')}</p>
        <p>{t('lockedServer')}</p>
        <CopySnippet code={PRINT_COMMAND} label={t('lockedServer')} className="bg-panel" />
      </div>
    </details>
  );
}

/** Where the link is that signs the first owner in, and how to print a new one (AU1). */
function LinkSteps() {
  const t = useTranslations('account');
  return (
    <div className="flex flex-col gap-3">
      <p>{t('linkLook')}</p>
      <pre className="overflow-x-auto rounded-md border border-line bg-panel p-3 font-mono text-xs">
        {t('linkLine', { url: `${window.location.origin}/sign-in?token=…` })}
      </pre>
      <p className="mt-2">{t('linkLost')}</p>
      <CopySnippet code={PRINT_COMMAND} label={t('linkLost')} className="bg-panel" />
      <p className="mt-2 text-ink-2">{t('linkWhy')}</p>
    </div>
  );
}
