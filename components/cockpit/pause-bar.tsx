'use client';

import { Pause, Play } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Age } from '@/components/messages/times';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { Tooltip } from '@/components/ui/tooltip';
import { useTask } from '@/components/ui/use-task';
import { useCockpit } from './cockpit-context';
import { useAttempt } from './use-attempt';

/** Says who paused the agents of this session, and lets a moderator resume them (CO4). */
export function PauseBar() {
  const t = useTranslations('cockpit.pause');
  const { tab, you, live } = useCockpit();
  const { may, busy, change } = usePause();
  const paused = tab?.control.paused;
  if (!paused || !live) return null;
  return (
    <section
      data-lease="human"
      aria-label={t('label')}
      className="flex min-h-11 items-center gap-x-3 border-t-2 border-lease bg-lease-soft px-3 py-1.5"
    >
      <Pause aria-hidden className="size-4 shrink-0 text-lease" />
      <p role="status" className="min-w-0 flex-1 leading-tight">
        <bdi className="font-semibold text-lease">
          {paused.by.id === you?.id ? t('mine') : t('others', { name: paused.by.name })}
        </bdi>{' '}
        <span className="text-xs text-ink-2">
          <Age since={paused.at} />
          <span className="max-sm:hidden"> · {t('what')}</span>
        </span>
      </p>
      {may && (
        <Button variant="lease" size="lg" className="max-sm:h-11" busy={busy} onClick={() => change(false)}>
          <Play aria-hidden />
          {t('resume')}
        </Button>
      )}
    </section>
  );
}

/** Pauses the agents. For moderators, while no person drives: agents wait for a person anyway. */
export function PauseButton() {
  const t = useTranslations('cockpit.pause');
  const { tab, live, lease, session, online } = useCockpit();
  const { may, busy, change } = usePause();
  const agents = session.participants.some((one) => one.kind === 'agent' && one.online);
  if (!may || !live || !tab || tab.control.paused || lease.holder?.kind === 'human' || !agents) return null;
  return (
    <Tooltip text={t('what')} side="top">
      <Button
        size="lg"
        className="h-9 max-sm:size-11 max-sm:p-0"
        busy={busy}
        disabled={!online}
        onClick={() => change(true)}
      >
        <Pause aria-hidden />
        <span className="max-sm:sr-only">{t('pause')}</span>
      </Button>
    </Tooltip>
  );
}

/** Pauses or resumes the agents of the session. Shows failures as a toast. `may`: this person moderates it. */
export function usePause(): { may: boolean; busy: boolean; change: (pause: boolean) => void } {
  const t = useTranslations('cockpit.pause');
  const attempt = useAttempt();
  const { session, you } = useCockpit();
  const { busy, run } = useTask();
  const me = session.participants.find(({ id }) => id === you?.id);
  const change = (pause: boolean) =>
    void run(() =>
      pause
        ? attempt(api.pauseAgents(session.id), t('failed'))
        : attempt(api.resumeAgents(session.id), t('resumeFailed')),
    );
  return { may: me?.grants.includes('manage') === true, busy, change };
}
