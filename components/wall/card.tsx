'use client';

import Link from 'next/link';
import { MessageSquareText, ShieldAlert } from 'lucide-react';
import { memo, useId } from 'react';
import { useTranslations } from 'use-intl';
import { useUnread } from '@/components/comments/unread';
import { Age, Ago } from '@/components/messages/times';
import { useEventLine } from '@/components/messages/use-event-line';
import { useMessageText } from '@/components/messages/use-message-text';
import { AvatarStack } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { HostTile } from '@/components/ui/host-tile';
import { StayButton } from '@/components/shell/stay-button';
import { SECOND_MS, useCountdown } from '@/components/use-countdown';
import { useReopenBrowser } from '@/components/cockpit/use-reopen-browser';
import type { CardHandlers } from './card-handlers';
import { CardMenu } from './card-menu';
import { CardPicture } from './card-picture';
import { subtitleOf, titleOf } from './entry-text';
import { useMay } from '@/components/session-client/use-session-client';
import { sessionPath } from '@/components/session-client/workspace';
import type { WallActions } from './use-wall-actions';
import type { WallEntry } from './wall-list';

export interface CardProps {
  entry: WallEntry;
  you: string | undefined;
  handlers: CardHandlers;
  /** True while the connection to the server is lost. */
  stale: boolean;
  dense: boolean;
}

/** The card of one session: stream, title, last action, watchers, and commands. */
export const Card = memo(function Card({ entry, you, handlers, stale, dense }: CardProps) {
  const id = useId();
  const { lease, session, tab } = entry;
  const urgent = lease.kind === 'help' || lease.kind === 'stuck';
  return (
    <article
      data-lease={lease.kind}
      className={cn(
        'group/card relative flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-panel transition-[border-color,box-shadow] hover:border-line-strong has-[[data-card-link]:focus-visible]:outline-2 has-[[data-card-link]:focus-visible]:outline-offset-2 has-[[data-card-link]:focus-visible]:outline-focus',
        urgent && 'border-lease shadow-[0_0_0_3px_var(--lease-soft)] hover:border-lease',
        lease.kind === 'help' && 'animate-attention',
      )}
    >
      <CardPicture entry={entry} stale={stale} />
      <div className={cn('flex min-w-0 flex-1 flex-col px-3 pt-2.5 pb-2.5', dense && 'px-2.5 pt-2 pb-1.5')}>
        <h2 className="flex min-w-0 items-center gap-2">
          <HostTile url={tab?.url ?? ''} size={16} />
          <Link
            href={sessionPath(session.id)}
            prefetch={false}
            data-card-link={session.id}
            aria-describedby={`${id}-about`}
            className="min-w-0 flex-1 truncate font-medium outline-none after:absolute after:inset-0 after:content-['']"
          >
            <bdi>{titleOf(entry)}</bdi>
          </Link>
        </h2>
        {!dense && <Subtitle entry={entry} />}
        <p id={`${id}-about`} className="mt-0.5 truncate text-sm text-ink-2">
          <LastAction entry={entry} you={you} />
        </p>
        <CardFoot entry={entry} handlers={handlers} dense={dense} you={you} />
      </div>
    </article>
  );
});

function Subtitle({ entry }: { entry: WallEntry }) {
  const { host, name } = subtitleOf(entry);
  const t = useTranslations('wall.card');
  const tabs = entry.session.tabs.length;
  const parts = [host, name].filter((part) => part !== '');
  return (
    <p className="mt-0.5 truncate text-sm text-ink-3">
      <bdi>{parts.join(' · ')}</bdi>
      {tabs > 1 && `${parts.length > 0 ? ' · ' : ''}${t('tabs', { count: tabs })}`}
    </p>
  );
}

/** The help request or page dialog, the problem, or the last action and its age. */
function LastAction({ entry: { lease, session, tab }, you }: { entry: WallEntry; you: string | undefined }) {
  const t = useTranslations('wall.card');
  const asks = useTranslations('question');
  const down = useTranslations('cockpit.down');
  const line = useEventLine();
  const say = useMessageText();
  const [question] = tab?.control.questions ?? [];
  const { word } = lease;
  if (question && !tab?.dialog && (lease.kind === 'help' || word === 'personOnIt')) {
    const { by, reason, claimed } = question;
    if (!claimed) return <bdi>{asks('card', { name: by.name, reason })}</bdi>;
    const mine = claimed.by.id === you;
    return <bdi>{asks(mine ? 'cardMine' : 'cardClaimed', { name: by.name, reason, person: claimed.by.name })}</bdi>;
  }
  if (lease.kind === 'help')
    return <bdi>{tab?.dialog?.message ? t('dialogSays', { message: tab.dialog.message }) : t('dialogOpen')}</bdi>;
  if (session.state === 'browser-down')
    return <bdi>{session.stateSaid ? say(session.stateSaid) : down('leadShort')}</bdi>;
  if (lease.kind === 'stuck' && lease.reason !== '') return <bdi>{lease.said ? say(lease.said) : lease.reason}</bdi>;
  const event = session.lastEvent;
  if (!event) return t('nothingYet');
  return (
    <>
      <bdi>{line(event, you)}</bdi>, <Ago since={event.at} />
    </>
  );
}

function CardFoot({
  entry,
  handlers,
  dense,
  you,
}: {
  entry: WallEntry;
  handlers: CardHandlers;
  dense: boolean;
  you: string | undefined;
}) {
  const t = useTranslations('wall.card');
  const common = useTranslations('common');
  const people = entry.session.participants.filter((participant) => participant.kind === 'human' && participant.online);
  const of = useTranslations('cockpit.people');
  const flagged = entry.session.participants.find((participant) => participant.flagged);
  const names = people.map((person) => (person.id === you ? common('you') : person.name)).join(', ');
  return (
    <div className="mt-auto flex min-h-7 items-center gap-1.5 pt-2">
      <AvatarStack people={people} max={dense ? 2 : 4} label={t('watching', { names })} />
      <span className="min-w-0 flex-1 truncate text-xs text-ink-3">
        {people.length === 0 && !dense && `${t('nobody')} · `}
        <Age since={entry.lease.since} />
      </span>
      <Comments session={entry.session} />
      {flagged && (
        <ShieldAlert
          role="img"
          aria-label={of('flaggedNamed', { name: flagged.name })}
          className="size-4 shrink-0 text-stuck"
        />
      )}
      {entry.session.idle?.endsInMs === undefined ? (
        !dense && <MainButton entry={entry} actions={handlers.actions} />
      ) : (
        <>
          <Ending endsInMs={entry.session.idle.endsInMs} />
          <StayButton session={entry.session.id} size="sm" className="relative z-10" />
        </>
      )}
      <CardMenu entry={entry} handlers={handlers} />
    </div>
  );
}

/** Number of open comments, in amber while one is new for this reader. */
function Comments({ session }: { session: WallEntry['session'] }) {
  const t = useTranslations('talk');
  const unread = useUnread(session);
  const open = session.comments?.open ?? 0;
  if (open === 0) return null;
  const says = unread > 0 ? t('unread', { n: unread }) : t('openCount', { n: open });
  return (
    <span
      role="img"
      aria-label={says}
      title={says}
      className={cn(
        'inline-flex items-center gap-1 text-xs tabular-nums',
        unread > 0 ? 'font-semibold text-human' : 'text-ink-3',
      )}
    >
      <MessageSquareText aria-hidden className="size-3.5" />
      {open}
    </span>
  );
}

/** When the session ends because nobody uses it (SE1). */
function Ending({ endsInMs }: { endsInMs: number }) {
  const t = useTranslations('cockpit.idle');
  const left = useCountdown(endsInMs);
  return (
    <span className="text-xs font-medium text-stuck tabular-nums">
      {t('short', { n: Math.ceil(left / SECOND_MS) })}
    </span>
  );
}

/** Starts a new Chrome for a session that lost its own. */
function ReviveButton({ session, returning }: { session: string; returning: boolean }) {
  const t = useTranslations('cockpit.down');
  const { busy, revive } = useReopenBrowser(session);
  return (
    <Button
      size="sm"
      variant="lease"
      className="relative z-10"
      title={t(returning ? 'starting' : 'start')}
      busy={busy || returning}
      onClick={revive}
    >
      {t('startShort')}
    </Button>
  );
}

/** The most likely command for the card's state. */
function MainButton({ entry, actions }: { entry: WallEntry; actions: WallActions }) {
  const t = useTranslations('wall.card');
  const lease = useTranslations('lease');
  const { kind, mine } = entry.lease;
  const mayDrive = useMay('drive');
  if (mayDrive && entry.session.state === 'browser-down')
    return <ReviveButton session={entry.session.id} returning={entry.session.stateSaid?.code === 'chromeReturning'} />;
  if (mine) {
    return (
      <Button
        size="sm"
        variant="lease"
        data-lease={entry.tab?.control.takenFrom ? 'agent' : 'human'}
        className="relative z-10"
        onClick={() => void actions.handBack(entry)}
      >
        {lease('handBack')}
      </Button>
    );
  }
  if (mayDrive && kind === 'help' && (entry.tab?.dialog || !entry.tab?.control.questions)) {
    return (
      <Button
        size="sm"
        variant="lease"
        className="relative z-10"
        title={t('takeOpen')}
        onClick={() => void actions.take(entry, 'open')}
      >
        {lease('take')}
      </Button>
    );
  }
  return (
    <Button
      size="sm"
      asChild
      variant={kind === 'stuck' || kind === 'help' ? 'lease' : 'secondary'}
      className="relative z-10"
    >
      <Link
        href={sessionPath(entry.session.id)}
        prefetch={false}
        tabIndex={-1}
        aria-label={t('openNamed', { name: titleOf(entry) })}
      >
        {t('open')}
      </Link>
    </Button>
  );
}
