'use client';

import { Fingerprint, LogIn, TriangleAlert } from 'lucide-react';
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
import { isErrorCode } from '@/lib/errors/codes';
import { returnAddress } from '@/lib/text/return-address';
import { AccountFrame, Or } from './account-frame';
import { accountApi, type SignInWays } from './api';
import { clockDifference } from './clocks';
import { Forgotten } from './forgotten';
import { usePasskeySignIn } from './passkeys';
import { SecondFactor } from './second-factor';
import { useFailure } from './use-failure';

type Step = { readonly at: 'start' | 'forgotten' } | { readonly at: 'code'; readonly difference: number };

/** Leaves for the page that the visitor came for; with a load, so that its socket is signed in, too. */
function leave(to: string): void {
  window.location.assign(to);
}

/** The sign-in page: password and second factor, passkey, provider, or the link that the server prints (AU1, AU2). */
export function SignIn() {
  const t = useTranslations('account');
  const to = returnAddress(useSearchParams().get('to'));
  const ways = useLoaded(accountApi.ways);
  const [step, setStep] = useState<Step>({ at: 'start' });
  const start = () => setStep({ at: 'start' });
  if (step.at === 'code')
    return <SecondFactor difference={step.difference} onSignedIn={() => leave(to)} onBack={start} />;
  if (step.at === 'forgotten') return <Forgotten onBack={start} />;
  const known = ways.data;
  return (
    <AccountFrame
      title={t('signIn')}
      heading={t(known?.accounts === false ? 'linkHeading' : 'signIn')}
      lead={known?.accounts === false ? t('linkLead') : undefined}
      below={known?.accounts && <ByLink />}
    >
      <WhyHere />
      {ways.error !== undefined && (
        <ProblemNote
          title={t('waysFailed')}
          thrown={ways.error}
          action={<Button onClick={ways.reload}>{t('again')}</Button>}
        />
      )}
      {known?.accounts && (
        <Ways
          ways={known}
          to={to}
          onCode={(now) => setStep({ at: 'code', difference: clockDifference(now) })}
          onForgotten={() => setStep({ at: 'forgotten' })}
        />
      )}
      {known?.accounts === false && <LinkSteps />}
      {!known && ways.error === undefined && <Skeleton className="h-56" />}
    </AccountFrame>
  );
}

/** Why the visitor is here, when something went wrong on the way: a used link, or an answer of the provider. */
function WhyHere() {
  const t = useTranslations('account');
  const query = useSearchParams();
  const code = query.get('oidc') ?? '';
  const reason = query.has('used') ? t('usedLink') : code === '' ? undefined : t(`oidcFailed.${oidcReason(code)}`);
  if (reason === undefined) return null;
  return (
    <div role="alert" className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
      <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-human" />
      <p>{reason}</p>
    </div>
  );
}

const OIDC_REASONS = ['UNAUTHENTICATED', 'UNSUPPORTED', 'TIMEOUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN'] as const;

/** The key of the sentence for a failed sign-in by provider. */
function oidcReason(code: string): (typeof OIDC_REASONS)[number] {
  return OIDC_REASONS.find((one) => isErrorCode(code) && one === code) ?? 'UNAUTHENTICATED';
}

interface WaysProps {
  ways: SignInWays;
  to: string;
  /** @param now the server's time */
  onCode: (now: string) => void;
  onForgotten: () => void;
}

function Ways({ ways, to, onCode, onForgotten }: WaysProps) {
  const t = useTranslations('account');
  const others = ways.oidc !== undefined || ways.passkey.available;
  return (
    <>
      {ways.password && <ByPassword to={to} onCode={onCode} onForgotten={onForgotten} />}
      {ways.password && others && <Or word={t('or')} />}
      <div className="flex flex-col gap-2 empty:hidden">
        {ways.passkey.available && <ByPasskey to={to} />}
        {ways.oidc && <ByProvider name={ways.oidc.name} to={to} />}
      </div>
      {!ways.passkey.available && <p className="text-xs text-ink-3">{t('noPasskeyHere')}</p>}
    </>
  );
}

function ByPassword({ to, onCode, onForgotten }: Omit<WaysProps, 'ways'>) {
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
      <Field
        autoFocus
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        value={email}
        maxLength={254}
        onChange={(event) => setEmail(event.target.value)}
      />
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

/** A button that leads to the provider, which leads back to `to`. */
function ByProvider({ name, to }: { name: string; to: string }) {
  const t = useTranslations('account');
  const task = useTask();
  return (
    <>
      <Button
        size="lg"
        busy={task.busy}
        onClick={() =>
          void task.run(
            () => accountApi.oidc({ to }),
            ({ url }) => leave(url),
          )
        }
      >
        <LogIn aria-hidden />
        <bdi className="truncate">{t('byProvider', { name })}</bdi>
      </Button>
      {task.error !== undefined && <ProblemNote title={t('providerFailed')} thrown={task.error} />}
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
