'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Notice } from './notice';

/** The command that prints a new sign-in link, for people who can read the data directory. */
const PRINT_COMMAND = 'npm start -- --link';

const never = () => () => undefined;

/** The page for visitors who are not signed in: where the sign-in link is printed, and how to print a new one (AU1). */
export function SignedOut() {
  const t = useTranslations('signedOut');
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => '',
  );
  const line = t('line', { url: `${origin}/sign-in?token=…` });
  return (
    <Notice title={t('title')} heading={t('heading')} lead={t('lead')}>
      <p className="mt-6">{t('look')}</p>
      <pre className="mt-2 overflow-x-auto rounded-md border border-line bg-panel p-3 font-mono text-xs">{line}</pre>
      <p className="mt-6">{t('lost')}</p>
      <CopySnippet code={PRINT_COMMAND} label={t('lost')} className="mt-2 bg-panel" />
      <p className="mt-6 text-ink-2">{t('why')}</p>
      <Button asChild size="lg" className="mt-6">
        <a href="/">{t('again')}</a>
      </Button>
    </Notice>
  );
}
