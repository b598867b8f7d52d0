'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Age } from '@/components/messages/times';
import { cn } from '@/components/ui/cn';
import { HostTile } from '@/components/ui/host-tile';
import { PrivateCover } from '@/components/ui/private-cover';
import { LeaseChip } from '@/components/ui/lease-chip';
import { LivePicture } from '@/components/viewport/live-picture';
import { isUnwell } from '@/components/lease-state';
import type { StreamStatus } from '@/lib/protocol/views';
import type { WallEntry } from './wall-list';

/**
 * The card's stream, framed in the colour of the lease, with the state on it. `stale`: the connection is lost, and the
 * picture is the last one.
 */
export function CardPicture({ entry, stale }: { entry: WallEntry; stale: boolean }) {
  const [status, setStatus] = useState<StreamStatus['state']>();
  const [painted, setPainted] = useState<string>();
  const { session, tab, lease } = entry;
  const shown = tab?.targetId ?? tab?.id;
  const still = isUnwell(lease);
  const dim = stale || still || session.state !== 'live';
  return (
    <div className="relative aspect-video overflow-hidden bg-hover">
      {painted !== shown && <Placeholder entry={entry} />}
      {tab && session.state !== 'ended' && (
        <LivePicture
          key={shown}
          session={session.id}
          tab={tab.id}
          tier="thumbnail"
          className={cn('absolute inset-0 transition-[opacity,filter]', dim && 'opacity-50 grayscale')}
          onPainted={() => painted !== shown && setPainted(shown)}
          onStatus={({ state }) => setStatus(state)}
        />
      )}
      {tab?.control.private && !lease.mine && <PrivateCover held={tab.control.private} small />}
      <div
        aria-hidden
        className={cn(
          'pointer-events-none absolute inset-0 z-[6] border-2 border-lease',
          lease.kind === 'idle' && 'border-transparent',
        )}
      />
      <LeaseChip lease={lease} className="absolute z-[6] top-2.5 left-2.5 max-w-[calc(100%-20px)]" />
      <StreamMark
        state={stale ? 'lost' : tab?.control.private && !lease.mine ? undefined : status}
        since={lease.since}
        stuck={still}
      />
    </div>
  );
}

function Placeholder({ entry: { tab } }: { entry: WallEntry }) {
  const t = useTranslations('wall.card');
  const blank = tab?.url === 'about:blank';
  return (
    <div className="absolute inset-0 grid place-items-center">
      <div className="flex flex-col items-center gap-2 text-xs text-ink-3">
        <HostTile url={tab?.url ?? ''} size={28} className="opacity-60" />
        {!tab ? t('noTab') : blank ? t('blank') : t('noPicture')}
      </div>
    </div>
  );
}

const SHOWN: readonly (StreamStatus['state'] | undefined)[] = ['behind', 'paused', 'lost'];

/** Names the state of the stream, only when the picture is not up to date (FR5). */
function StreamMark({
  state,
  stuck,
  since,
}: {
  state: StreamStatus['state'] | undefined;
  stuck: boolean;
  since: string;
}) {
  const t = useTranslations('wall.card.stream');
  const shown = stuck ? 'stuck' : SHOWN.includes(state) ? state : undefined;
  if (shown === undefined || shown === 'live' || shown === 'still') return null;
  return (
    <span className="absolute right-2.5 bottom-2.5 rounded-xs bg-black/75 px-1.5 py-0.5 text-2xs font-medium text-white">
      {t(shown)}
      {stuck && (
        <>
          {' · '}
          <Age since={since} />
        </>
      )}
    </span>
  );
}
