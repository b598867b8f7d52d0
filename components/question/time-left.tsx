'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ageOf } from '@/components/messages/when';

const SECOND_MS = 1_000;

/** How long a question stays open, counting down. Give it a `key` of its own for each `ms`: milliseconds from now. */
export function TimeLeft({ ms }: { ms: number }) {
  const t = useTranslations('question');
  const [left, setLeft] = useState(ms);
  useEffect(() => {
    const end = performance.now() + ms;
    const timer = setInterval(() => setLeft(Math.max(0, end - performance.now())), SECOND_MS);
    return () => clearInterval(timer);
  }, [ms]);
  const { unit, n } = ageOf(left);
  return <>{t('left', { unit, n })}</>;
}
