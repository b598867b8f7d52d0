'use client';

import { CirclePause, CirclePlay } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { sessionPath } from '@/components/session-client/workspace';
import { Button } from '@/components/ui/button';
import { useDemo } from './use-demo';

/** A bar while the demo agent runs: says what runs, leads to its session, and stops it. */
export function DemoBar() {
  const t = useTranslations('demo');
  const { running, stands, session, task, stop } = useDemo();
  if (!running) return null;
  const said = t(stands ? 'stands' : 'running');
  return (
    <aside
      aria-label={said}
      className="flex items-center gap-x-3 rounded-md border border-line bg-panel py-2 pr-2 pl-3"
    >
      {stands ? (
        <CirclePause aria-hidden className="size-4 shrink-0 text-stuck" />
      ) : (
        <CirclePlay aria-hidden className="size-4 shrink-0 text-agent" />
      )}
      <p className="min-w-0 flex-1 truncate">
        <b className="font-medium">{said}</b>{' '}
        <span className="text-ink-2 max-sm:hidden">{t(stands ? 'standsLead' : 'about')}</span>
      </p>
      <span className="flex shrink-0 gap-2">
        {session !== undefined && (
          <Button size="sm" asChild>
            <Link href={sessionPath(session)}>{t(stands ? 'look' : 'watch')}</Link>
          </Button>
        )}
        <Button size="sm" busy={task.busy} onClick={stop}>
          {t('stop')}
        </Button>
      </span>
    </aside>
  );
}
