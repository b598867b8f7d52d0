'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopySnippet } from '@/components/ui/copy-snippet';
import { Dialog } from '@/components/ui/dialog';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { AttachForm } from './attach-form';
import { KeyMaker } from './key-maker';
import { curlSnippet, nodeSnippet } from './snippets';

const WAYS = ['curl', 'node', 'attach'] as const;
export type ConnectMethod = (typeof WAYS)[number];

/**
 * How an agent gets in: a key made on the spot, and snippets that hold it. Mounted only while open: the key goes with
 * it.
 */
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
            {WAYS.map((way) => (
              <TabsTrigger key={way} value={way}>
                {t(way)}
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
