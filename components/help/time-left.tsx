'use client';

import { useTranslations } from 'use-intl';
import { ageOf } from '@/components/messages/when';
import { useCountdown } from '@/components/use-countdown';

/**
 * Counts down until the help request closes.
 * @param ms milliseconds from now; use it as the `key`, too, so that a new value starts again
 */
export function TimeLeft({ ms }: { ms: number }) {
  const t = useTranslations('question');
  const { unit, n } = ageOf(useCountdown(ms));
  return <>{t('left', { unit, n })}</>;
}
