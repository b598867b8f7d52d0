'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Notice } from './notice';

/** Prints a fresh sign-in line for whoever can read the data directory (http-api.md). */
const PRINT_COMMAND = 'npm start -- --link';

const never = () => () => undefined;

/** What an unsigned visitor gets: where the sign-in line is, and how to print a new one (AU1). */
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
