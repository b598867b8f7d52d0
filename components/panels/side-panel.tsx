'use client';

import {
  ArrowUpDown,
  Files,
  History,
  ListTree,
  MessageSquareText,
  Lock,
  ShieldAlert,
  SquareTerminal,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { usePanel, usePanels, type PanelName } from '@/components/cockpit/use-view';
import { useUnread } from '@/components/comments/unread';
import { useFiles } from '@/components/files/use-files';
import { cn } from '@/components/ui/cn';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import type { TabView } from '@/lib/protocol/views';
import { FilesPanel } from './files/files-panel';
import { PeoplePanel } from './people/people-panel';
import { ConsolePanel } from './buffers/console-panel';
import { NetworkPanel } from './buffers/network-panel';
import { SnapshotPanel } from './snapshot/snapshot-panel';
import { TalkPanel } from './talk/talk-panel';
import { TimelinePanel } from './timeline/timeline-panel';

const ICONS: Readonly<Record<PanelName, LucideIcon>> = {
  snapshot: ListTree,
  timeline: History,
  talk: MessageSquareText,
  console: SquareTerminal,
  network: ArrowUpDown,
  files: Files,
  people: Users,
};

/** Panels of the shown tab; they start anew for another tab. */
const OF_TAB: Readonly<Partial<Record<PanelName, ComponentType<{ tab: TabView }>>>> = {
  snapshot: ({ tab }) => <SnapshotPanel key={tab.targetId ?? tab.id} tab={tab} />,
  console: ({ tab }) => <ConsolePanel key={tab.id} tab={tab.id} />,
  network: ({ tab }) => <NetworkPanel key={tab.id} tab={tab.id} />,
};
const OF_SESSION: Readonly<Partial<Record<PanelName, ComponentType>>> = {
  timeline: TimelinePanel,
  talk: TalkPanel,
  files: FilesPanel,
  people: PeoplePanel,
};

/** The side panel: snapshot, timeline, talk, console, network, files, people. The choice is stored in this browser. */
export function SidePanel() {
  const t = useTranslations('cockpit.panels');
  const { session, tab } = useCockpit();
  const panels = usePanels(session.id);
  const [panel, setPanel] = usePanel(session.id);
  return (
    <Tabs value={panel} onValueChange={setPanel} className="@container flex size-full min-h-0 flex-col bg-panel">
      <TabsList
        aria-label={t('label')}
        className="h-10 shrink-0 border-b border-line px-2 @max-md:px-1 pointer-coarse:h-12"
      >
        {panels.map((name) => (
          <PanelTab key={name} name={name} />
        ))}
      </TabsList>
      {panels.map((name) => {
        const [OfTab, OfSession] = [OF_TAB[name], OF_SESSION[name]];
        return (
          <TabsContent key={name} value={name} className="flex min-h-0 flex-1 flex-col outline-none">
            {OfTab && tab && (tab.control.private ? <Unread /> : <OfTab tab={tab} />)}
            {OfSession && <OfSession />}
          </TabsContent>
        );
      })}
    </Tabs>
  );
}

/** Replaces the panels of a privately held tab, of which the server reads nothing. */
function Unread() {
  const t = useTranslations('cockpit.private');
  const { mine } = useCockpit();
  return (
    <p className="flex items-start gap-2 p-4 text-ink-3">
      <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(mine ? 'mine' : 'panel')}
    </p>
  );
}

/** Panels whose tab becomes an icon first. */
const SHORTER: ReadonlySet<PanelName> = new Set(['console', 'network', 'files']);

/** A panel's tab: its name, or an icon where the side panel is too narrow for all names. */
function PanelTab({ name }: { name: PanelName }) {
  const t = useTranslations('cockpit.panels');
  const Icon = ICONS[name];
  const shorter = SHORTER.has(name);
  return (
    <TabsTrigger
      value={name}
      title={t(name)}
      className="group/panel @max-md:gap-1 @max-md:px-1.5 @max-[23rem]:data-[state=inactive]:px-2"
    >
      <Icon
        aria-hidden
        className={cn(
          'hidden size-4! @max-[23rem]:group-data-[state=inactive]/panel:block',
          shorter && '@max-md:group-data-[state=inactive]/panel:block',
        )}
      />
      <span
        className={cn(
          '@max-[23rem]:group-data-[state=inactive]/panel:sr-only',
          shorter && '@max-md:group-data-[state=inactive]/panel:sr-only',
        )}
      >
        {t(name)}
      </span>
      {name === 'files' && <Going />}
      {name === 'talk' && <OpenComments />}
      {name === 'people' && <Here />}
    </TabsTrigger>
  );
}

/** A dot while a download is running. */
function Going() {
  const t = useTranslations('cockpit.panels');
  const { session } = useCockpit();
  const going = useFiles(session.id)?.downloads.filter(({ state }) => state === 'running').length ?? 0;
  if (going === 0) return null;
  return (
    <span className="size-1.5 shrink-0 rounded-full bg-agent">
      <span className="sr-only">{t('filesGoing', { n: going })}</span>
    </span>
  );
}

/** Number of open comments, in amber while one is new for this reader. */
function OpenComments() {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const unread = useUnread(session);
  const open = session.comments?.open ?? 0;
  if (open === 0) return null;
  return (
    <span className={cn('text-xs tabular-nums', unread > 0 ? 'font-semibold text-human' : 'text-ink-3')}>
      <span aria-hidden>{open}</span>
      <span className="sr-only">{unread > 0 ? t('unread', { n: unread }) : t('openCount', { n: open })}</span>
    </span>
  );
}

/** Number of participants who are online, and a warning when one of them acts on without the lease (F23). */
function Here() {
  const t = useTranslations('cockpit.people');
  const { session } = useCockpit();
  const flagged = session.participants.find((person) => person.flagged);
  return (
    <>
      <span className="text-xs text-ink-3 tabular-nums">
        {session.participants.filter((person) => person.online).length}
      </span>
      {flagged && (
        <ShieldAlert
          role="img"
          aria-label={t('flaggedNamed', { name: flagged.name })}
          className="size-3.5 shrink-0 text-stuck"
        />
      )}
    </>
  );
}
