'use client';

import { Cable, CirclePlay } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useDemo } from '@/components/shell/use-demo';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { ProblemNote } from '@/components/ui/problem-note';
import { WheelLegend } from '@/components/ui/wheel-legend';
import type { ConnectMethod } from './connect-dialog';
import { AgentWay } from './empty-agent-way';
import { CHROME_COMMAND } from './snippets';
import { WayIn } from './way-in';

export interface EmptyWallProps {
  onNew: () => void;
  onConnect: (way: ConnectMethod) => void;
}

/** What a newcomer sees: the three ways in, with the demo as the one primary button. */
export function EmptyWall({ onNew, onConnect }: EmptyWallProps) {
  const t = useTranslations('wall.empty');
  const wall = useTranslations('wall');
  return (
    <div className="mx-auto flex w-full max-w-[1180px] flex-col items-center px-1 pt-[7vh] pb-12 text-center max-sm:pt-6">
      <h1 className="max-w-2xl text-[28px] leading-9 font-semibold tracking-tight text-balance max-sm:text-2xl">
        {t('title')}
      </h1>
      <p className="mt-2 text-md text-ink-2">{t('lead')}</p>
      <ol className="mt-8 grid w-full gap-4 text-left lg:grid-cols-3">
        <DemoWay />
        <AgentWay onMore={() => onConnect('curl')} />
        <WayIn icon={Cable} title={t('attachTitle')} lead={t('attachLead')}>
          <CopySnippet
            size="sm"
            code={CHROME_COMMAND.replaceAll(' --', ' \\\n  --')}
            label={t('attachTitle')}
            className="mt-auto"
          />
          <Button onClick={() => onConnect('attach')}>{t('attach')}</Button>
        </WayIn>
      </ol>
      <p className="mt-6 flex flex-wrap items-center justify-center gap-2 text-ink-2">
        {t('orNew')}
        <Button size="sm" onClick={onNew}>
          {wall('newSession')}
        </Button>
      </p>
      <WheelLegend label={t('legend')} className="mt-12 max-sm:hidden" />
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
        <Button variant="primary" size="lg" className="mt-auto" busy={demo.task.busy} onClick={demo.start}>
          {demo.task.busy ? t('starting') : demoText('start')}
        </Button>
      )}
    </WayIn>
  );
}
