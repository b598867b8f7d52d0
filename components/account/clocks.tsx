'use client';

import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

/** More than this between the two clocks, and a code of a phone may be refused although it is right. */
const APART_MS = 30_000;

/** @param serverNow ISO 8601, received just now; the difference of the server's clock to this browser's */
export function clockDifference(serverNow: string, now = Date.now()): number {
  return Date.parse(serverNow) - now;
}

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
    <div role="note" className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
      <Clock aria-hidden className="mt-px size-4 shrink-0 text-human" />
      <div>
        <p className="font-medium text-human">{t('clocks.title')}</p>
        <p className="mt-0.5 tabular-nums">
          {t('clocks.times', { server: said(now + difference), browser: said(now) })}
        </p>
        <p className="text-ink-2">{t('clocks.cure')}</p>
      </div>
    </div>
  );
}
