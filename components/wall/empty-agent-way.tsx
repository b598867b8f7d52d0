'use client';

import { Bot } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { useTask } from '@/components/ui/use-task';
import { startSnippet } from './snippets';
import { WayIn } from './way-in';

/** The first command of an agent: one click makes a key, puts it in, and copies it. */
export function AgentWay({ onMore }: { onMore: () => void }) {
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
      () => api.createKey(agent('keyDefault')),
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
