'use client';

import { TimerOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { StayButton } from '@/components/shell/stay-button';
import { SECOND_MS, useCountdown } from '@/components/use-countdown';
import { useCockpit } from './cockpit-context';

/** Warns that the session is about to end because nobody uses it; one click keeps it (SE1). */
export function IdleBar() {
  const { session } = useCockpit();
  const endsInMs = session.idle?.endsInMs;
  return endsInMs === undefined ? null : <Warning session={session.id} endsInMs={endsInMs} />;
}

function Warning({ session, endsInMs }: { session: string; endsInMs: number }) {
  const t = useTranslations('cockpit.idle');
  const left = useCountdown(endsInMs);
  return (
    <section
      data-lease="stuck"
      aria-label={t('label')}
      className="flex min-h-11 items-center gap-x-3 border-t-2 border-lease bg-lease-soft px-3 py-1.5"
    >
      <TimerOff aria-hidden className="size-4 shrink-0 text-lease" />
      <p className="min-w-0 flex-1 leading-tight font-semibold text-lease">
        <span role="alert" className="sr-only">
          {t('label')}
        </span>
        <span className="tabular-nums">{t('ends', { n: Math.ceil(left / SECOND_MS) })}</span>
      </p>
      <StayButton session={session} size="lg" className="max-sm:h-11" />
    </section>
  );
}
