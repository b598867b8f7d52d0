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
import { LARGE, WHEEL_BUTTON } from './wheel-button';

type Asked = NonNullable<ControlView['asked']>;

/**
 * Somebody wants the wheel: its holder says yes or no, while a bar runs out (CO4). One who only watches may ask another
 * person.
 */
export function WheelRequest() {
  const { tab, you, mine, live, wheel } = useCockpit();
  const asked = tab?.control.asked;
  if (!live || !tab) return null;
  if (!asked) return wheel.holder?.kind === 'human' && !mine ? <Ask /> : null;
  if (!mine && asked.by.id !== you?.id) return null;
  return <Question key={`${asked.by.id} ${tab.id} ${tab.control.epoch}`} asked={asked} mine={mine} />;
}

function Question({ asked, mine }: { asked: Asked; mine: boolean }) {
  const t = useTranslations('cockpit.wheel');
  const { wheel } = useCockpit();
  // The bar runs by itself from what was left when the question came.
  const [ms] = useState(asked.ms);
  const left = useCountdown(ms);
  const words = mine
    ? t(asked.passes ? 'passes' : 'asks', { name: asked.by.name })
    : t('asked', { name: wheel.holder?.name ?? '' });
  return (
    <section
      role="status"
      data-wheel={asked.by.kind}
      className={cn(
        'relative flex min-h-9 min-w-0 items-center gap-2 overflow-hidden rounded-md border border-wheel py-1 pl-3 max-sm:w-full',
        mine ? 'pr-1' : 'pr-3',
      )}
    >
      <bdi className="min-w-0 sm:truncate max-sm:flex-1 max-sm:leading-tight">{words}</bdi>
      <span aria-hidden className="text-ink-2 tabular-nums">
        {t('secondsLeft', { n: Math.ceil(left / SECOND_MS) })}
      </span>
      {mine && <Wish what="grant" />}
      {mine && !asked.passes && <Wish what="deny" />}
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-0.5 origin-left animate-run-out bg-wheel"
        style={{ animationDuration: `${ms}ms` }}
      />
    </section>
  );
}

function Wish({ what }: { what: 'grant' | 'deny' }) {
  const t = useTranslations('cockpit.wheel');
  const { busy, send } = useWish(what, t('answerFailed'));
  return (
    <Button size="sm" variant={what === 'grant' ? 'wheel' : 'secondary'} busy={busy} onClick={send}>
      {t(what === 'grant' ? 'give' : 'deny')}
    </Button>
  );
}

function Ask() {
  const t = useTranslations('cockpit.wheel');
  const { busy, send } = useWish('request', t('askFailed'));
  const { wheel, online } = useCockpit();
  return (
    <Tooltip text={t('heldByOther', { name: wheel.holder?.name ?? '' })} side="top">
      <Button
        id={WHEEL_BUTTON}
        variant="wheel"
        size="lg"
        data-wheel="human"
        className={LARGE}
        busy={busy}
        disabled={!online}
        onClick={send}
      >
        {t('ask')}
      </Button>
    </Tooltip>
  );
}

/** Asks the server to do this about the wheel of the shown tab; failures are told under `failed`. */
export function useWish(what: 'grant' | 'deny' | 'request', failed: string) {
  const room = useSessionClient();
  const attempt = useAttempt();
  const { session, tab } = useCockpit();
  const { busy, run } = useTask();
  const send = () =>
    void run(
      async () => tab && attempt(room.request('control', { session: session.id, tab: tab.id, do: what }), failed),
    );
  return { busy, send };
}
