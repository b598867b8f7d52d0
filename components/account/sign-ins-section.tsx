'use client';

import { Laptop } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWhen } from '@/components/messages/use-when';
import { Confirm } from '@/components/ui/confirm';
import { ListState, Section } from '@/components/ui/section';
import { useLoaded } from '@/components/use-loaded';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import { accountApi, type SignInView } from '@/components/session-client/account-api';

const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a User-Agent header, as far as they are known names. */
function browserOf(agent: string | null): { browser: string | undefined; system: string | undefined } {
  const named = (list: typeof BROWSERS) => list.find(([, sign]) => sign.test(agent ?? ''))?.[0];
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}

/** Where the reader is signed in: each can be ended, and all others at once. */
export function SignInsSection() {
  const t = useTranslations('account.page.signIns');
  const { data, error, reload } = useLoaded(accountApi.signIns);
  const [asking, setAsking] = useState(false);
  return (
    <Section
      title={t('title')}
      lead={t('lead')}
      flush
      action={(data?.length ?? 0) > 1 && <Button onClick={() => setAsking(true)}>{t('everywhere')}</Button>}
    >
      {data ? (
        <ul className="divide-y divide-line">
          {data.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} onChanged={reload} />
          ))}
        </ul>
      ) : (
        <ListState loading error={error} failed={t('failed')} />
      )}
      {asking && (
        <Confirm
          title={t('everywhereTitle')}
          lead={t('everywhereLead')}
          action={t('everywhere')}
          failed={t('endFailed')}
          work={accountApi.endOtherSignIns}
          onDone={() => {
            toast.success(t('everywhereDone'));
            reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function SignInRow({ signIn, onChanged }: { signIn: SignInView; onChanged: () => void }) {
  const t = useTranslations('account.page.signIns');
  const factor = useTranslations('factor');
  const { ago } = useWhen();
  const problem = useProblemToast();
  const task = useTask();
  const { browser, system } = browserOf(signIn.agent);
  const name = system === undefined ? (browser ?? t('unknown')) : t('on', { browser: browser ?? t('unknown'), system });
  const facts = [
    t('by', { factor: factor(signIn.factor) }),
    ...(signIn.address === null ? [] : [signIn.address]),
    t('used', { ago: ago(signIn.lastUsedAt ?? signIn.createdAt) }),
  ];
  const end = () =>
    void task.run(async () => {
      await accountApi.endSignIn(signIn.id).catch((error: unknown) => problem(t('endFailed'), error));
      if (signIn.here) window.location.assign('/sign-in');
      else onChanged();
    });
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Laptop aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <bdi className="truncate font-medium">{name}</bdi>
          {signIn.here && (
            <Chip size="sm" tone="ok">
              {t('here')}
            </Chip>
          )}
        </p>
        <p className="text-xs text-ink-2">
          <bdi>{facts.join(' · ')}</bdi>
        </p>
      </div>
      <Button size="sm" busy={task.busy} {...(!signIn.here && { 'aria-label': t('endOne', { name }) })} onClick={end}>
        {t(signIn.here ? 'signOut' : 'end')}
      </Button>
    </li>
  );
}
