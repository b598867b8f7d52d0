'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Dialog } from '@/components/ui/dialog';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { KeyMaker } from './key-maker';
import {
  curlSnippet,
  nodeSnippet,
  attachSnippet,
  CHROME_COMMAND,
  DEFAULT_CDP_URL,
  type SnippetFacts,
} from './snippets';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';

const METHODS = ['curl', 'node', 'attach'] as const;
export type ConnectMethod = (typeof METHODS)[number];

/** Makes a key for an agent and shows snippets that contain it. Mounted only while open: closing forgets the key. */
export function ConnectDialog({ first = 'curl', onClose }: { first?: ConnectMethod; onClose: () => void }) {
  const t = useTranslations('wall.agent');
  const [made, setMade] = useState<string>();
  const facts = { origin: window.location.origin, key: made ?? t('keyMissing') };
  return (
    <Dialog open onOpenChange={onClose} title={t('title')} description={t('lead')} className="sm:w-[min(94vw,640px)]">
      <div className="flex flex-col gap-4">
        <KeyMaker made={made} onMade={setMade} />
        <Tabs defaultValue={first}>
          <TabsList aria-label={t('ways')} className="-mx-1 px-1 py-1">
            {METHODS.map((method) => (
              <TabsTrigger key={method} value={method}>
                {t(method)}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value="curl" className="mt-2 flex flex-col gap-3">
            <p className="text-ink-2">{t('curlLead')}</p>
            <CopySnippet code={curlSnippet(facts)} label={t('curl')} />
          </TabsContent>
          <TabsContent value="node" className="mt-2 flex flex-col gap-3">
            <p className="text-ink-2">{t('nodeLead')}</p>
            <CopySnippet code={nodeSnippet(facts)} label={t('node')} />
          </TabsContent>
          <TabsContent value="attach" className="mt-2">
            <AttachForm facts={facts} onAttached={onClose} />
          </TabsContent>
        </Tabs>
      </div>
    </Dialog>
  );
}

/**
 * Attaches a running Chrome (BR3): shows how to start one with a debugging port, asks for its address, and gives the
 * same as a script.
 */
function AttachForm({ facts, onAttached }: { facts: SnippetFacts; onAttached: () => void }) {
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
