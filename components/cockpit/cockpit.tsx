'use client';

import { useTranslations } from 'use-intl';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { PageSignal } from '@/components/shell/page-signal';
import { sessionLease } from '@/components/lease-state';
import { useMessageText } from '@/components/messages/use-message-text';
import type { Message } from '@/lib/messages/message';
import { useUnread } from '@/components/comments/unread';
import { useLeaseText } from '@/components/ui/lease-chip';
import { CockpitProvider, type Cockpit as CockpitView } from './cockpit-context';
import { CockpitBody } from './cockpit-body';
import { TopBar } from './top-bar';
import { useCockpitState } from './use-cockpit-state';
import { useFullScreen } from './use-view';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LoaderCircle } from 'lucide-react';
import { HeaderTools } from '@/components/shell/header-tools';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { BrandMark } from '@/components/ui/brand-mark';
import { Button } from '@/components/ui/button';

/** The page of one session. */
export function Cockpit({ id }: { id: string }) {
  const state = useCockpitState(id);
  const { full } = useFullScreen();
  if (state.state === 'opening') return <OpeningPage />;
  if (state.state === 'gone') return <GonePage wasHere={state.wasHere} said={state.said} />;
  return (
    <CockpitProvider value={state.cockpit}>
      <CockpitSignal cockpit={state.cockpit} />
      <div className="flex h-dvh flex-col overflow-hidden">
        <ConnectionBanner />
        {!full && <TopBar />}
        <CockpitBody />
      </div>
    </CockpitProvider>
  );
}

/**
 * Sets title and icon of the browser's tab to the state of the session: the most urgent tab first, then a new comment
 * for this person, else the active tab.
 */
export function CockpitSignal({ cockpit: { session, you } }: { cockpit: CockpitView }) {
  const t = useTranslations('cockpit');
  const words = useLeaseText();
  const lease = sessionLease(session, you?.id);
  const says = useTranslations('talk');
  const unread = useUnread(session) > 0;
  const urgent = lease.kind === 'help' || lease.kind === 'stuck';
  const title = t(urgent ? 'titleUrgent' : 'title', { session: session.name, state: words(lease) });
  return <PageSignal title={unread && !urgent ? says('title', { session: session.name }) : title} kind={lease.kind} />;
}

/** Shown until the session is joined. */
function OpeningPage() {
  const t = useTranslations('cockpit');
  return (
    <Bare>
      <p role="status" className="flex items-center gap-2 text-ink-2">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        {t('loading')}
      </p>
    </Bare>
  );
}

/** Shown when the session has ended, or when there is none with this id. */
function GonePage({ wasHere, said }: { wasHere: boolean; said: Message | undefined }) {
  const t = useTranslations('cockpit');
  const say = useMessageText();
  const wall = useWorkspacePath()('');
  return (
    <Bare>
      <div className="max-w-sm text-center">
        <h1 className="text-xl font-semibold">{t(wasHere ? 'gone.title' : 'gone.unknown')}</h1>
        {said && (
          <p className="mt-2">
            <bdi>{say(said)}</bdi>
          </p>
        )}
        <p className="mt-2 text-ink-2">{t(wasHere ? 'gone.lead' : 'gone.unknownLead')}</p>
        <Button asChild variant="primary" className="mt-5">
          <Link href={wall}>{t('back')}</Link>
        </Button>
      </div>
    </Bare>
  );
}

function Bare({ children }: { children: ReactNode }) {
  const t = useTranslations('cockpit');
  const wall = useWorkspacePath()('');
  return (
    <div className="flex h-dvh flex-col">
      <ConnectionBanner />
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
        <Link href={wall} aria-label={t('back')} className="rounded-sm p-0.5">
          <BrandMark className="size-[22px]" />
        </Link>
        <div className="flex-1" />
        <HeaderTools />
      </header>
      <main className="grid flex-1 place-items-center p-6">{children}</main>
    </div>
  );
}
