'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { usePanel } from '@/components/cockpit/use-view';
import { useTimeline } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { toRows } from '../timeline/rows';
import { TimelineLine } from '../timeline/timeline-line';

const SHOWN = 5;
/** Enough events to find so many rows in. */
const READ = 40;

/** The last few events below the snapshot, where there is room for them. */
export function LatestEvents() {
  const t = useTranslations('cockpit.snapshot');
  const { session, you } = useCockpit();
  const timeline = useTimeline(session.id);
  const [, setPanel] = usePanel();
  const rows = useMemo(() => toRows(timeline.slice(-READ)).slice(-SHOWN).toReversed(), [timeline]);
  if (rows.length === 0) return null;
  return (
    <section
      aria-labelledby="latest-events"
      className="shrink-0 border-t border-line pb-2 max-sm:hidden [@media(max-height:620px)]:hidden"
    >
      <div className="flex h-9 items-center justify-between pr-2 pl-3">
        <h2 id="latest-events" className="font-medium text-ink-2">
          {t('latest')}
        </h2>
        <Button variant="ghost" size="sm" onClick={() => setPanel('timeline')}>
          {t('allEvents')}
        </Button>
      </div>
      <ol>
        {rows.map((row) => (
          <li key={row.key}>
            <TimelineLine row={row} you={you?.id} className="h-[26px]" />
          </li>
        ))}
      </ol>
    </section>
  );
}
