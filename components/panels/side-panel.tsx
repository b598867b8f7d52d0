'use client';

import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { PANELS, usePanel } from '@/components/cockpit/use-view';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { PeoplePanel } from './people/people-panel';
import { ConsolePanel } from './rings/console-panel';
import { NetworkPanel } from './rings/network-panel';
import { SnapshotPanel } from './snapshot/snapshot-panel';
import { TimelinePanel } from './timeline/timeline-panel';

/** What stands beside the page: its snapshot, what happened, who is here. The open one is remembered. */
export function SidePanel() {
  const t = useTranslations('cockpit.panels');
  const { session, tab } = useCockpit();
  const [panel, setPanel] = usePanel();
  const here = session.participants.filter((person) => person.online).length;
  return (
    <Tabs value={panel} onValueChange={setPanel} className="@container flex size-full min-h-0 flex-col bg-panel">
      <TabsList aria-label={t('label')} className="h-10 shrink-0 border-b border-line px-2 @max-sm:px-1 pointer-coarse:h-12">
        {PANELS.map((name) => (
          <TabsTrigger key={name} value={name} className="@max-sm:gap-1 @max-sm:px-1 @max-sm:text-xs">
            {t(name)}
            {name === 'people' && <span className="text-xs text-ink-3 tabular-nums">{here}</span>}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="snapshot" className="flex min-h-0 flex-1 flex-col outline-none">
        {tab && <SnapshotPanel key={tab.targetId} tab={tab} />}
      </TabsContent>
      <TabsContent value="timeline" className="flex min-h-0 flex-1 flex-col outline-none">
        <TimelinePanel />
      </TabsContent>
      <TabsContent value="console" className="flex min-h-0 flex-1 flex-col outline-none">
        {tab && <ConsolePanel key={tab.id} tab={tab.id} />}
      </TabsContent>
      <TabsContent value="network" className="flex min-h-0 flex-1 flex-col outline-none">
        {tab && <NetworkPanel key={tab.id} tab={tab.id} />}
      </TabsContent>
      <TabsContent value="people" className="flex min-h-0 flex-1 flex-col outline-none">
        <PeoplePanel />
      </TabsContent>
    </Tabs>
  );
}
