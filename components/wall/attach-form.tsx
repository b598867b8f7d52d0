'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { attachSnippet, CHROME_COMMAND, DEFAULT_CDP_URL, type SnippetFacts } from './snippets';

/** Attaches a Chrome that already runs (BR3): how to start it with its port, its address, or the same by a script. */
export function AttachForm({ facts, onAttached }: { facts: SnippetFacts; onAttached: () => void }) {
  const t = useTranslations('wall.agent');
  const task = useTask();
  const [cdpUrl, setCdpUrl] = useState(DEFAULT_CDP_URL);
  const attach = () =>
    void task.run(
      () => api.attachBrowser(cdpUrl.trim()),
      ({ product }) => {
        toast.success(t('attached', { name: product }));
        onAttached();
      },
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">{t('attachLead')}</p>
      <p>{t('attachStep1')}</p>
      <CopySnippet code={CHROME_COMMAND} label={t('attachStep1')} />
      <p>{t('attachStep2')}</p>
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          attach();
        }}
      >
        <Field
          label={t('attachUrl')}
          hint={t('attachHint')}
          value={cdpUrl}
          inputMode="url"
          className="min-w-0 flex-1"
          onChange={(event) => setCdpUrl(event.target.value)}
        />
        <Button variant="primary" type="submit" busy={task.busy} disabled={cdpUrl.trim() === ''} className="mt-[25px]">
          {t('attachSubmit')}
        </Button>
      </form>
      {task.busy && (
        <p role="status" className="text-ink-2">
          {t('attaching')}
        </p>
      )}
      {task.error !== undefined && <ProblemNote title={t('attachFailed')} thrown={task.error} />}
      <p>{t('attachOr')}</p>
      <CopySnippet code={attachSnippet(facts, cdpUrl.trim())} label={t('attachOr')} />
    </div>
  );
}
