'use client';

import { useTranslations } from 'use-intl';
import { ageOf } from '@/components/messages/when';
import { useCountdown } from '@/components/use-countdown';

/** How long a question stays open, counting down. Give it a `key` of its own for each `ms`: milliseconds from now. */
export function TimeLeft({ ms }: { ms: number }) {
  const t = useTranslations('question');
  const { unit, n } = ageOf(useCountdown(ms));
  return <>{t('left', { unit, n })}</>;
}
