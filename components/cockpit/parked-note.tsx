'use client';

import { useTranslations } from 'use-intl';
import { SECOND_MS, useCountdown } from '@/components/use-countdown';

/**
 * Says that the holder of the lease lost the connection, and counts down until the lease becomes free (CO7).
 * @param ms milliseconds from now
 */
export function ParkedNote({ ms, name }: { ms: number; name: string }) {
  const t = useTranslations('cockpit.lease');
  const left = useCountdown(ms);
  return (
    <p className="min-w-0 flex-1 basis-0 text-ink-2 tabular-nums max-sm:w-full max-sm:basis-full">
      <bdi>{t('parked', { name, n: Math.ceil(left / SECOND_MS) })}</bdi>
    </p>
  );
}
