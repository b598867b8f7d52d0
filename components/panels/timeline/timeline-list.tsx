'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useRoom, useTimeline } from '@/components/room/use-room';
import { Button } from '@/components/ui/button';
import type { TimelineRow } from './rows';
import { TimelineLine } from './timeline-line';

const ROW_PIXELS = 28;

/** Newest first. Whoever has scrolled down keeps their place, and is told how much came since. */
export function TimelineList({ rows, none }: { rows: readonly TimelineRow[]; none: string }) {
  const t = useTranslations('cockpit.timeline');
  const { you } = useCockpit();
  const box = useRef<HTMLDivElement>(null);
  const [keptSeq, keep] = useState<number>();
  const newer = keptSeq === undefined ? 0 : rows.filter((row) => row.seq > keptSeq).length;
  const shown = rows.slice(newer);
  const list = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => ROW_PIXELS, overscan: 12, getItemKey: (index) => shown[index]?.key ?? index });
  const toTop = () => {
    keep(undefined);
    box.current?.scrollTo({ top: 0 });
  };
  if (rows.length === 0) return <p className="p-4 text-ink-3">{none}</p>;
  return (
    <div className="relative min-h-0 flex-1">
      {newer > 0 && (
        <Button size="sm" className="absolute top-2 left-1/2 z-10 -translate-x-1/2 rounded-full shadow-pop" onClick={toTop}>
          <ArrowUp aria-hidden />
          {t('newer', { n: newer })}
        </Button>
      )}
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={t('list')}
        className="size-full overflow-y-auto py-1 focus-visible:-outline-offset-2"
        onScroll={(event) => {
          const away = event.currentTarget.scrollTop > ROW_PIXELS;
          if (away !== (keptSeq !== undefined)) keep(away ? shown[0]?.seq : undefined);
        }}
      >
        <ol className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = shown[item.index];
            return (
              row && (
                <li key={item.key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
                  <TimelineLine row={row} you={you?.id} className="h-7" />
                </li>
              )
            );
          })}
        </ol>
        <OlderButton />
      </div>
    </div>
  );
}

/** There is more before the first event this page has. */
function OlderButton() {
  const t = useTranslations('cockpit.timeline');
  const common = useTranslations('common');
  const room = useRoom();
  const attempt = useAttempt();
  const { session } = useCockpit();
  const timeline = useTimeline(session.id);
  const [busy, setBusy] = useState(false);
  if ((timeline[0]?.seq ?? 0) <= 1) return null;
  const load = async () => {
    setBusy(true);
    await attempt(room.loadOlder(session.id), common('retry'));
    setBusy(false);
  };
  return (
    <div className="flex justify-center p-3">
      <Button size="sm" busy={busy} onClick={() => void load()}>
        {t('older')}
      </Button>
    </div>
  );
}
