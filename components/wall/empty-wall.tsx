'use client';

import { Cable, CirclePlay, Bot } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useDemo } from '@/components/shell/use-demo';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { ProblemNote } from '@/components/ui/problem-note';
import { LeaseLegend } from '@/components/ui/lease-legend';
import type { ConnectMethod } from './connect-dialog';
import { CHROME_COMMAND, startSnippet } from './snippets';
import { WayIn } from './way-in';
import { useState } from 'react';
import { settingsApi } from '@/components/settings/api';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { useTask } from '@/components/ui/use-task';

export interface EmptyWallProps {
  onNew: () => void;
  onConnect: (method: ConnectMethod) => void;
}

/** The empty wall: three ways to begin, of which the demo has the primary button. */
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
      <LeaseLegend label={t('legend')} className="mt-12 max-sm:hidden" />
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

/** The first command of an agent: one click makes a key, puts it into the snippet and copies that. */
function AgentWay({ onMore }: { onMore: () => void }) {
  const t = useTranslations('wall.empty');
  const agent = useTranslations('wall.agent');
  const task = useTask();
  const [key, setKey] = useState<string>();
  const snippet = (made: string | undefined) =>
    startSnippet({ origin: window.location.origin, key: made ?? agent('keyMissing') });
  const copy = async (made: string) => {
    if (await writeClipboard(snippet(made))) toast.success(t('keyCopied'), { description: t('keyOnce') });
  };
  const make = () =>
    void task.run(
      () => settingsApi.makeKey({ name: agent('keyDefault') }),
      ({ key: made }) => {
        setKey(made);
        void copy(made);
      },
    );
  return (
    <WayIn icon={Bot} title={t('agentTitle')} lead={t('agentLead')}>
      <CopySnippet size="sm" code={snippet(key)} label={t('agentTitle')} className="mt-auto" />
      {task.error !== undefined && <ProblemNote title={agent('keyFailed')} thrown={task.error} />}
      <div className="flex gap-2">
        {key === undefined && (
          <Button className="flex-1" busy={task.busy} onClick={make}>
            {t('keyCopy')}
          </Button>
        )}
        <Button
          variant={key === undefined ? 'ghost' : 'secondary'}
          className={key === undefined ? '' : 'flex-1'}
          onClick={onMore}
        >
          {t('moreWays')}
        </Button>
      </div>
    </WayIn>
  );
}
