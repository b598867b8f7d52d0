'use client';

import { Minimize } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Age } from '@/components/messages/times';
import { useEventLine } from '@/components/messages/use-event-line';
import { HandButton, RaisedHands, useRaisedHands } from '@/components/presence/raised-hands';
import { useLink, useTimeline } from '@/components/session-client/use-session-client';
import { IconButton } from '@/components/ui/icon-button';
import { cn } from '@/components/ui/cn';
import { Chip } from '@/components/ui/chip';
import { useLeaseText, LEASE_ICONS } from '@/components/ui/lease-chip';
import { useCockpit } from './cockpit-context';
import { useDrivenHere } from './driven-here';
import { HandOver } from './hand-over';
import { LinkMeterText } from './link-meter-text';
import { ParkedNote } from './parked-note';
import { PauseButton } from './pause-bar';
import { PrivateButton } from './private-bar';
import { Remedies } from './remedies';
import { TabQuestion } from './tab-question';
import { StreamChip } from './stream-chip';
import { LEASE_BAR, LeaseButton } from './lease-button';
import { LeaseRequestBar } from './lease-request-bar';
import { useFullScreen } from './use-view';
import type { StreamSaid } from './stream-word';
import type { StreamStatus } from '@/lib/protocol/views';

interface LeaseBarProps {
  stream: StreamSaid;
  /** The last status of the stream of this tab. */
  status: StreamStatus | undefined;
  keysInPage: boolean;
}

/**
 * The bar below the page: the holder of the lease, since when, what they do, and the button that takes the lease or
 * gives it back.
 */
export function LeaseBar({ stream, status, keysInPage }: LeaseBarProps) {
  const t = useTranslations('cockpit.lease');
  const { lease, live, tab } = useCockpit();
  const parkedMs = tab?.control.parkedMs;
  // A lease request has seconds to be answered: it hides what can wait.
  const asked = tab?.control.asked !== undefined;
  const hands = useRaisedHands().length > 0;
  const crowded = lease.kind === 'stuck' || asked || hands;
  return (
    <footer
      data-lease={lease.kind}
      id={LEASE_BAR}
      tabIndex={-1}
      aria-label={t('label')}
      className={cn(
        'relative z-10 flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-panel px-3 py-2 outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 max-sm:pb-[max(12px,env(safe-area-inset-bottom))]',
        !live && 'max-sm:hidden',
      )}
    >
      <TabQuestion />
      <Holder />
      {live &&
        (lease.kind === 'stuck' ? (
          <Remedies />
        ) : parkedMs === undefined ? (
          <Doing keysInPage={keysInPage} />
        ) : (
          <ParkedNote key={parkedMs} ms={parkedMs} name={lease.holder?.name ?? ''} />
        ))}
      {live && (
        <div className={cn('ml-auto', crowded && 'max-sm:hidden')}>
          <div className={cn('flex items-center gap-3', crowded && 'hidden')}>
            <StreamChip said={stream} className="max-md:hidden" />
            <LinkMeterText status={status} />
          </div>
        </div>
      )}
      <LeaveFullScreen />
      <LeaseRequestBar />
      <RaisedHands />
      {!asked && <HandOver />}
      <HandButton />
      <PrivateButton />
      <PauseButton />
      <LeaseButton />
    </footer>
  );
}

/** Replaces the full screen button of the address bar, which is hidden in full screen. */
function LeaveFullScreen() {
  const t = useTranslations('cockpit.view');
  const { full, toggle } = useFullScreen();
  if (!full) return null;
  return (
    <IconButton label={t('leaveFullScreen')} side="top" className="max-sm:ml-auto" onClick={toggle}>
      <Minimize aria-hidden />
    </IconButton>
  );
}

/** States in which the holder is not the one who matters: a person is on a question, or paused the agents (CO4). */
const SAYS_ALL: ReadonlySet<string> = new Set(['personOnIt', 'youPaused', 'personPaused']);

/**
 * The chip with the holder's name, such as "buyer-bot has the wheel". Hidden on phones, where the top bar shows it; the
 * bar of guests has no place for it.
 */
function Holder() {
  const t = useTranslations('cockpit.lease');
  const { lease, session, tab } = useCockpit();
  const Icon = LEASE_ICONS[lease.kind];
  const driven = useDrivenHere(session.id);
  // A wheel that somebody gave is in all windows of this person.
  const here = driven || tab?.control.reason === 'given';
  const guest = useLink() !== undefined;
  const states = useLeaseText();
  const urgent = lease.kind === 'stuck' || lease.kind === 'help';
  const words = SAYS_ALL.has(lease.word)
    ? states(lease)
    : lease.mine
      ? t(here ? 'youHave' : 'youHaveElsewhere')
      : lease.holder
        ? t('has', { name: lease.holder.name })
        : session.state === 'browser-down'
          ? t('browserDown')
          : t('free');
  return (
    <p role="status" className={cn('flex min-w-0 items-center gap-2', guest ? 'max-sm:w-full' : 'max-sm:sr-only')}>
      <Chip tone="lease" className="min-w-0">
        <Icon aria-hidden />
        <bdi className="truncate">{words}</bdi>
      </Chip>
      {urgent && <span className="sr-only">{states(lease)}</span>}
    </p>
  );
}

/** The holder's last action in words. Hidden while the keys of this person go to the page. */
function Doing({ keysInPage }: { keysInPage: boolean }) {
  const line = useEventLine();
  const { session, tab, you, lease } = useCockpit();
  const timeline = useTimeline(session.id);
  if (keysInPage) return null;
  const last = timeline.findLast(
    (event) =>
      event.actor.id === lease.holder?.id &&
      (event.tab === undefined || event.tab === tab?.id) &&
      event.kind !== 'join' &&
      event.kind !== 'leave',
  );
  if (!last) return null;
  return (
    <p
      className={cn(
        'flex min-w-0 flex-1 basis-0 items-baseline gap-2 text-ink-2 max-sm:hidden',
        lease.mine && 'max-xl:hidden',
      )}
    >
      <bdi className="truncate">{line(last, you?.id)}</bdi>
      <span className="shrink-0 text-xs text-ink-3">
        <Age since={last.at} />
      </span>
    </p>
  );
}
