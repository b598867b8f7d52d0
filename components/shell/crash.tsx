'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Notice } from './notice';

/** Shown when a component throws while it renders. */
export function Crash({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  const t = useTranslations();
  const detail = [error.message, error.digest && `digest ${error.digest}`, error.stack].filter(Boolean).join('\n');
  return (
    <Notice title={t('crash.title')} heading={t('crash.heading')} lead={t('crash.lead')}>
      <Button variant="primary" size="lg" className="my-6" onClick={onRetry}>
        {t('common.retry')}
      </Button>
      <CopySnippet code={detail} label={t('common.details')} />
    </Notice>
  );
}
