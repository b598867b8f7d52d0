'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Tooltip } from '@/components/ui/tooltip';
import { useTask } from '@/components/ui/use-task';
import type { ControlView } from '@/lib/protocol/views';
import { SECOND_MS, useCountdown } from '@/components/use-countdown';
import { useCockpit } from './cockpit-context';
import { useAttempt } from './use-attempt';
import { drivenHere } from './driven-here';
import { LARGE, LEASE_BUTTON } from './lease-button';

type Asked = NonNullable<ControlView['asked']>;

/**
 * Shows a lease request (CO4): the holder grants or denies it until its time is over, the others see that time. Without
 * a request, offers people who watch to ask the person who holds the lease.
 */
export function LeaseRequestBar() {
  const { tab, mine, live, lease, mayDrive } = useCockpit();
  const asked = tab?.control.asked;
  if (!live || !tab) return null;
  if (!asked) return lease.holder?.kind === 'human' && !mine && mayDrive ? <Ask /> : null;
  return <Question key={`${asked.by.id} ${tab.id} ${tab.control.epoch}`} asked={asked} />;
}

function Question({ asked }: { asked: Asked }) {
  const t = useTranslations('cockpit.lease');
  const { mine } = useCockpit();
  const words = useQuestionText(asked);
  // Only the first value counts: the animation runs from there, and later pushes repeat the same deadline.
  const [ms] = useState(asked.ms);
  const left = useCountdown(ms);
  return (
    <section
      role="status"
      data-lease={asked.by.kind}
      className={cn(
        'relative flex min-h-9 min-w-0 items-center gap-2 overflow-hidden rounded-md border border-lease py-1 pl-3 max-sm:w-full',
        mine ? 'pr-1' : 'pr-3',
      )}
    >
      <bdi className="min-w-0 sm:truncate max-sm:flex-1 max-sm:leading-tight">{words}</bdi>
      <span aria-hidden className="text-ink-2 tabular-nums">
        {t('secondsLeft', { n: Math.ceil(left / SECOND_MS) })}
      </span>
      {mine && <LeaseRequestAnswer what="grant" />}
      {mine && !asked.passes && <LeaseRequestAnswer what="deny" />}
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-0.5 origin-left animate-run-out bg-lease"
        style={{ animationDuration: `${ms}ms` }}
      />
    </section>
  );
}

/** The request, to the holder, to who asked, and to those who look on. */
function useQuestionText({ by, passes }: Asked): string {
  const t = useTranslations('cockpit.lease');
  const others = useTranslations('cockpit.presence');
  const { mine, lease, you } = useCockpit();
  const holder = lease.holder?.name ?? '';
  if (mine) return t(passes ? 'passes' : 'asks', { name: by.name });
  if (by.id === you?.id) return t('asked', { name: holder });
  return others(passes ? 'passesOther' : 'asksOther', { name: by.name, holder });
}

function LeaseRequestAnswer({ what }: { what: 'grant' | 'deny' }) {
  const t = useTranslations('cockpit.lease');
  const { busy, send } = useLeaseRequest(what, t('answerFailed'));
  return (
    <Button size="sm" variant={what === 'grant' ? 'lease' : 'secondary'} busy={busy} onClick={() => send()}>
      {t(what === 'grant' ? 'give' : 'deny')}
    </Button>
  );
}

function Ask() {
  const t = useTranslations('cockpit.lease');
  const { busy, send } = useLeaseRequest('request', t('askFailed'));
  const { lease, online } = useCockpit();
  return (
    <Tooltip text={t('heldByOther', { name: lease.holder?.name ?? '' })} side="top">
      <Button
        id={LEASE_BUTTON}
        variant="lease"
        size="lg"
        data-lease="human"
        className={LARGE}
        busy={busy}
        disabled={!online}
        onClick={() => send()}
      >
        {t('ask')}
      </Button>
    </Tooltip>
  );
}

/**
 * Gives a function that sends a lease request for a tab, by default the shown one. Shows failures as a toast with the
 * title `failed`.
 */
export function useLeaseRequest(what: 'grant' | 'deny' | 'request', failed: string) {
  const client = useSessionClient();
  const attempt = useAttempt();
  const { session, tab } = useCockpit();
  const { busy, run } = useTask();
  const send = (of = tab?.id) =>
    void run(async () => {
      if (of === undefined) return;
      const worked = await attempt(client.request('control', { session: session.id, tab: of, do: what }), failed);
      // The lease that somebody gives comes to the window that asked.
      if (worked && what !== 'deny') drivenHere(session.id, what === 'request');
    });
  return { busy, send };
}
