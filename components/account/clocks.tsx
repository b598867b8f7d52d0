'use client';

import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { AttentionNote } from '@/components/ui/attention-note';

/** More than this between the two clocks, and a code of a phone may be refused although it is right. */
const APART_MS = 30_000;

/** Says both times where the clocks of server and browser are apart, since codes depend on the time. */
export function ClocksApart({ difference }: { difference: number }) {
  const t = useTranslations('account');
  const format = useFormatter();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (!(Math.abs(difference) > APART_MS)) return null;
  const day = Math.abs(difference) > 12 * 3_600_000 ? ({ dateStyle: 'medium' } as const) : {};
  const said = (ms: number) => format.dateTime(new Date(ms), { timeStyle: 'medium', ...day });
  return (
    <AttentionNote role="note" icon={Clock}>
      <div>
        <p className="font-medium text-human">{t('clocks.title')}</p>
        <p className="mt-0.5 tabular-nums">
          {t('clocks.times', { server: said(now + difference), browser: said(now) })}
        </p>
        <p className="text-ink-2">{t('clocks.cure')}</p>
      </div>
    </AttentionNote>
  );
}
