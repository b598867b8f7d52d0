'use client';

import { Bot, Cable, CirclePlay, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDemo } from '@/components/shell/use-demo';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Way } from './connect-dialog';
import { CHROME_COMMAND } from './snippets';

export interface EmptyWallProps {
  onNew: () => void;
  onConnect: (way: Way) => void;
}

/** What a newcomer sees: the three ways in, with the demo as the one primary button. */
export function EmptyWall({ onNew, onConnect }: EmptyWallProps) {
  const t = useTranslations('wall.empty');
  const wall = useTranslations('wall');
  return (
    <div className="mx-auto flex w-full max-w-[1040px] flex-col items-center px-1 pt-[6vh] pb-12 text-center">
      <h1 className="max-w-xl text-2xl font-semibold tracking-tight text-balance">{t('title')}</h1>
      <p className="mt-2 text-md text-ink-2">{t('lead')}</p>
      <ol className="mt-8 grid w-full gap-4 text-left lg:grid-cols-3">
        <DemoWay />
        <WayIn icon={Bot} title={t('agentTitle')} lead={t('agentLead')}>
          <CopySnippet code={`curl ${window.location.origin}/api/v1/sessions \\\n  -H "Authorization: Bearer …"`} label={t('agentTitle')} />
          <Button onClick={() => onConnect('curl')}>{wall('connect')}</Button>
        </WayIn>
        <WayIn icon={Cable} title={t('attachTitle')} lead={t('attachLead')}>
          <CopySnippet code={CHROME_COMMAND.replace(' --user', ' \\\n  --user')} label={t('attachTitle')} />
          <Button onClick={() => onConnect('attach')}>{t('attach')}</Button>
        </WayIn>
      </ol>
      <p className="mt-6 flex flex-wrap items-center justify-center gap-2 text-ink-2">
        {t('orNew')}
        <Button size="sm" onClick={onNew}>
          {wall('newSession')}
        </Button>
      </p>
    </div>
  );
}

function DemoWay() {
  const t = useTranslations('wall.empty');
  const demoText = useTranslations('demo');
  const demo = useDemo();
  return (
    <WayIn icon={CirclePlay} title={t('demoTitle')} lead={demo.available ? t('demoLead') : t('demoMissing')}>
      {demo.task.error !== undefined && <ProblemNote title={demoText('startFailed')} thrown={demo.task.error} />}
      {demo.available && (
        <Button variant="primary" size="lg" busy={demo.task.busy} onClick={demo.start}>
          {demo.task.busy ? t('starting') : demoText('start')}
        </Button>
      )}
    </WayIn>
  );
}

function WayIn({ icon: Icon, title, lead, children }: { icon: LucideIcon; title: string; lead: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-panel p-5">
      <Icon aria-hidden className="size-5 text-ink-2" />
      <div className="flex-1">
        <h2 className="text-md font-semibold">{title}</h2>
        <p className="mt-1 text-ink-2">{lead}</p>
      </div>
      {children}
    </li>
  );
}
