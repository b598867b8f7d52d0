'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Notice } from './notice';

export function NotFound() {
  const t = useTranslations('notFound');
  return (
    <Notice title={t('title')} heading={t('heading')} lead={t('lead')}>
      <Button asChild variant="primary" size="lg" className="mt-6">
        <Link href="/">{t('back')}</Link>
      </Button>
    </Notice>
  );
}
