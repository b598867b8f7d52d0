'use client';

import { Minimize } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Age } from '@/components/messages/times';
import { useEventLine } from '@/components/messages/use-event-line';
import { useTimeline } from '@/components/session-client/use-session-client';
import { IconButton } from '@/components/ui/icon-button';
import { cn } from '@/components/ui/cn';
import { Chip } from '@/components/ui/chip';
import { useWheelWords, WHEEL_ICONS } from '@/components/ui/wheel-chip';
import { useCockpit } from './cockpit-context';
import { useDrivenHere } from './driven-here';
import { HandOver } from './hand-over';
import { LinkMeterText } from './link-meter-text';
import { ParkedNote } from './parked-note';
import { PrivateButton } from './private-bar';
import { Remedies } from './remedies';
import { TabQuestion } from './tab-question';
import { StreamChip } from './stream-chip';
import { WHEEL_BAR, WheelButton } from './wheel-button';
import { WheelRequest } from './wheel-request';
import { useFullScreen } from './use-view';
import type { StreamSaid } from './stream-word';

/** Who has the wheel, since when, what they do, and the one large button. */
export function WheelBar({ stream, keysInPage }: { stream: StreamSaid; keysInPage: boolean }) {
  const t = useTranslations('cockpit.wheel');
  const { wheel, live, tab } = useCockpit();
  const parkedMs = tab?.control.parkedMs;
  // A question for the wheel is answered in seconds: it has the room of what can wait.
  const asked = tab?.control.asked !== undefined;
  return (
    <footer
      data-wheel={wheel.kind}
      id={WHEEL_BAR}
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
        (wheel.kind === 'stuck' ? (
          <Remedies />
        ) : parkedMs === undefined ? (
          <Doing keysInPage={keysInPage} />
        ) : (
          <ParkedNote key={parkedMs} ms={parkedMs} name={wheel.holder?.name ?? ''} />
        ))}
      {live && (
        <div
          className={cn('ml-auto flex items-center gap-3 max-md:hidden', (wheel.kind === 'stuck' || asked) && 'hidden')}
        >
          <StreamChip said={stream} />
          <LinkMeterText />
        </div>
      )}
      <LeaveFullScreen />
      <WheelRequest />
      {!asked && <HandOver />}
      <PrivateButton />
      <WheelButton />
    </footer>
  );
}

/** In full screen the address bar, where the button was, is hidden. */
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

/** The chip with the name: "buyer-bot has the wheel". On a phone the top bar says it already. */
function Holder() {
  const t = useTranslations('cockpit.wheel');
  const { wheel, session } = useCockpit();
  const Icon = WHEEL_ICONS[wheel.kind];
  const here = useDrivenHere(session.id);
  const states = useWheelWords();
  const urgent = wheel.kind === 'stuck' || wheel.kind === 'help';
  const words = wheel.mine
    ? t(here ? 'youHave' : 'youHaveElsewhere')
    : wheel.holder
      ? t('has', { name: wheel.holder.name })
      : session.state === 'browser-down'
        ? t('browserDown')
        : t('free');
  return (
    <p role="status" className="flex min-w-0 items-center gap-2 max-sm:sr-only">
      <Chip tone="wheel" className="min-w-0">
        <Icon aria-hidden />
        <bdi className="truncate">{words}</bdi>
      </Chip>
      {urgent && <span className="sr-only">{states(wheel)}</span>}
    </p>
  );
}

/** What they do now, in words; why it is stuck; or that the keys go to the page. */
function Doing({ keysInPage }: { keysInPage: boolean }) {
  const line = useEventLine();
  const { session, tab, you, wheel } = useCockpit();
  const timeline = useTimeline(session.id);
  if (keysInPage) return null;
  const last = timeline.findLast(
    (event) =>
      event.actor.id === wheel.holder?.id &&
      (event.tab === undefined || event.tab === tab?.id) &&
      event.kind !== 'join' &&
      event.kind !== 'leave',
  );
  if (!last) return null;
  return (
    <p
      className={cn(
        'flex min-w-0 flex-1 basis-0 items-baseline gap-2 text-ink-2 max-sm:hidden',
        wheel.mine && 'max-xl:hidden',
      )}
    >
      <bdi className="truncate">{line(last, you?.id)}</bdi>
      <span className="shrink-0 text-xs text-ink-3">
        <Age since={last.at} />
      </span>
    </p>
  );
}
