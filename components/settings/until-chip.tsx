'use client';

import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ageOf } from '@/components/messages/when';
import { Chip } from '@/components/ui/chip';

const SOON_MS = 3 * 86_400_000;
const EVERY_MS = 30_000;

/** When something ends, coloured when that is soon; nothing for what does not end. */
export function UntilChip({ until }: { until: string | null }) {
  const t = useTranslations('settings.until');
  const format = useFormatter();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (until === null) return null;
  const left = Date.parse(until) - now;
  const { unit, n } = ageOf(left);
  const exact = format.dateTime(new Date(until), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Chip size="sm" title={exact} tone={left <= 0 ? 'danger' : 'lease'} data-lease={left < SOON_MS ? 'human' : 'idle'}>
      {left <= 0 ? t('over') : t(unit, { n })}
    </Chip>
  );
}
