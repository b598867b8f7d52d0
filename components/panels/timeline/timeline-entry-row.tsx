'use client';

import { CircleHelp, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useEventLine } from '@/components/messages/use-event-line';
import { cn } from '@/components/ui/cn';
import { LEASE_ICONS } from '@/components/ui/lease-chip';
import type { LeaseKind } from '@/components/lease-state';
import { isErrorCode } from '@/lib/errors/codes';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { TimelineRow } from './rows';

const ACTOR_KINDS: Readonly<Record<TimelineEvent['actor']['kind'], LeaseKind>> = {
  human: 'human',
  agent: 'agent',
  system: 'idle',
};

/** One row: time, actor in colour, words, and duration or failure. */
export function TimelineEntryRow({
  row,
  you,
  className,
}: {
  row: TimelineRow;
  you: string | undefined;
  className?: string;
}) {
  const line = useEventLine();
  const format = useFormatter();
  const { event, state } = row;
  const words = line(event, you);
  const detail = event.deed?.note ?? (event.said && 'url' in event.said ? event.said.url : (event.deed?.url ?? ''));
  const at = new Date(event.at);
  const kind = leaseKindOf(event);
  const Who = LEASE_ICONS[kind];
  return (
    <div
      data-lease={kind}
      className={cn('grid grid-cols-[auto_14px_minmax(0,1fr)_auto] items-center gap-2 px-3 text-sm', className)}
    >
      <time dateTime={event.at} className="font-mono text-xs text-ink-3 tabular-nums">
        {format.dateTime(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })}
      </time>
      <Who aria-hidden className="size-3.5 text-lease" />
      <bdi className="truncate" title={detail === '' ? words : `${words}\n${detail}`}>
        {words}
      </bdi>
      <Outcome row={row} failed={state === 'failed' || event.kind === 'refused'} />
    </div>
  );
}

function Outcome({ row: { event, state }, failed }: { row: TimelineRow; failed: boolean }) {
  const t = useTranslations('cockpit.timeline');
  const what = useTranslations('problem.what');
  if (state === 'running')
    return <LoaderCircle role="img" aria-label={t('running')} className="size-3.5 animate-spin text-ink-3" />;
  if (state === 'unknown') return <Mark icon={<CircleHelp aria-hidden className="size-3.5" />} text={t('unknown')} />;
  const { code = '' } = event;
  if (failed)
    return (
      <Mark
        icon={<TriangleAlert aria-hidden className="size-3.5" />}
        text={t('failed', { why: isErrorCode(code) ? what(code) : code })}
        short={code}
      />
    );
  if (event.ms === undefined) return <span />;
  // Hidden where there is little room, because the words matter more.
  return (
    <span className="font-mono text-xs text-ink-3 tabular-nums @max-md:sr-only">
      {t('took', { n: Math.round(event.ms) })}
    </span>
  );
}

function Mark({ icon, text, short }: { icon: ReactNode; text: string; short?: string | undefined }) {
  return (
    <span title={text} className="inline-flex items-center gap-1 text-2xs font-medium text-stuck">
      {icon}
      <span className="sr-only">{text}</span>
      {short !== undefined && (
        <span aria-hidden className="max-w-28 truncate font-mono max-lg:hidden @max-md:hidden">
          {short}
        </span>
      )}
    </span>
  );
}

/** Marks page dialogs as calls for help, which stand out from the actions of agents. */
function leaseKindOf(event: TimelineEvent): LeaseKind {
  if (event.kind === 'dialog' && event.phase === 'event') return 'help';
  return ACTOR_KINDS[event.actor.kind];
}
