'use client';

import { ListChecks } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import type { DoneBrief } from '@/components/messages/event-words';
import { useTimeline } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { DoneList } from './done-list';
import { drivingSince, reportedSoFar } from './reported-so-far';

/** Number of actions listed; a line gives the number of older ones. */
const MOST_SHOWN = 6;

/** Actions of this person that the receipt will report, as far as the page knows them. */
export function useReportedSoFar(): readonly DoneBrief[] {
  const { session, you } = useCockpit();
  const timeline = useTimeline(session.id);
  const since = drivingSince(session, you?.id);
  return since === undefined ? [] : reportedSoFar(timeline, you?.id, since);
}

/**
 * Button beside the note of a hand-back that shows the actions the receipt will report. The list opens above the bar,
 * so that the page does not move; `writing` opens it, too.
 */
export function PendingReport({ name, writing }: { name: string; writing: boolean }) {
  const t = useTranslations('receipt');
  const [open, setOpen] = useState(false);
  const id = useId();
  const done = useReportedSoFar();
  const shown = open || writing;
  return (
    <>
      <Button
        variant={open ? 'secondary' : 'ghost'}
        className="h-9 shrink-0 tabular-nums"
        aria-expanded={shown}
        aria-controls={id}
        aria-label={t('willBeToldOf', { name, n: done.length })}
        title={t('willBeTold', { name })}
        onClick={() => setOpen(!open)}
        onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      >
        <ListChecks aria-hidden />
        {done.length}
      </Button>
      <section
        id={id}
        data-told
        hidden={!shown}
        aria-label={t('willBeTold', { name })}
        className="absolute right-3 bottom-full z-20 mb-2 max-h-[40dvh] w-[min(380px,calc(100%-24px))] animate-rise overflow-y-auto rounded-lg border border-line-strong bg-raised px-3 py-2.5 shadow-pop"
      >
        <ReportedList name={name} done={done} />
      </section>
    </>
  );
}

/** The newest actions that the receipt will report. */
export function ReportedList({ name, done }: { name: string; done: readonly DoneBrief[] }) {
  const t = useTranslations('receipt');
  return (
    <>
      <h3 className="mb-1.5 text-xs font-medium text-ink-3">
        <bdi>{t('willBeTold', { name })}</bdi>
      </h3>
      {done.length > MOST_SHOWN && (
        <p className="mb-1.5 text-xs text-ink-3">{t('earlier', { n: done.length - MOST_SHOWN })}</p>
      )}
      {done.length === 0 ? (
        <p className="text-sm text-ink-2">{t('nothingYet')}</p>
      ) : (
        <DoneList done={done.slice(-MOST_SHOWN)} />
      )}
    </>
  );
}
