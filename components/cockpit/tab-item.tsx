'use client';

import {
  CircleAlert,
  LoaderCircle,
  MessageSquareWarning,
  OctagonAlert,
  X,
  ArrowLeft,
  ArrowRight,
  Copy,
  RotateCw,
} from 'lucide-react';
import type { DragEvent, ReactNode, ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Avatar } from '@/components/ui/avatar';
import { cn } from '@/components/ui/cn';
import { HostTile } from '@/components/ui/host-tile';
import { useLeaseText, LEASE_ICONS } from '@/components/ui/lease-chip';
import { sessionLease, tabLease } from '@/components/lease-state';
import { pickedName } from '@/lib/links/guest-name';
import type { ParticipantView, TabView } from '@/lib/protocol/views';
import { useCockpit } from './cockpit-context';
import {
  ContextMenu,
  ContextMenuContent,
  ContextMenuItem,
  ContextMenuSeparator,
  ContextMenuTrigger,
} from '@/components/ui/context-menu';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { openTabs } from './shown-tab';
import { useTabActions } from './use-tab-actions';

/** Id of the panel that the tabs control. */
export const PAGE_PANEL = 'page-panel';

export interface TabItemProps {
  tab: TabView;
  selected: boolean;
  onPick: () => void;
  onClose: () => void;
  /** The pointer began to drag this tab. */
  onDrag: () => void;
  onDraggedOver: (event: DragEvent) => void;
}

/** One tab of the strip: icon, title, who drives it, and its health. */
export function TabItem({ tab, selected, onPick, onClose, onDrag, onDraggedOver }: TabItemProps) {
  const t = useTranslations('cockpit');
  const { session, you, live } = useCockpit();
  const title = tab.title || tab.url || t('untitled');
  // Without a browser no tab has a holder.
  const lease = live ? tabLease(tab, you?.id) : sessionLease(session, you?.id);
  const { mayOpen } = useTabActions();
  const words = useLeaseText();
  const lookers = session.participants.filter((one) => one.online && one.watching === tab.id && one.id !== you?.id);
  const names = lookers.map(({ name }) => name).join(', ');
  const Icon = LEASE_ICONS[lease.kind];
  return (
    <TabMenu tab={tab} title={title}>
      <div
        data-lease={lease.kind}
        draggable
        onDragStart={onDrag}
        onDragOver={onDraggedOver}
        className={cn(
          'group relative flex h-[30px] max-w-52 min-w-30 items-center max-sm:max-w-40 max-sm:shrink-0 rounded-t-md pr-1 text-ink-2 pointer-coarse:h-9',
          selected ? 'bg-panel font-medium text-ink' : 'hover:bg-hover',
          lease.kind === 'stuck' && 'text-stuck',
          lease.kind === 'help' && 'text-help',
        )}
      >
        {lease.kind !== 'idle' && (
          <span
            aria-hidden
            className={cn('absolute inset-x-2 top-0 rounded-full bg-lease', selected ? 'h-0.5' : 'h-px')}
          />
        )}
        <button
          type="button"
          role="tab"
          id={`tab-${tab.id}`}
          data-tab={tab.id}
          aria-selected={selected}
          aria-controls={PAGE_PANEL}
          aria-keyshortcuts="Delete Shift+ArrowLeft Shift+ArrowRight"
          tabIndex={selected ? 0 : -1}
          title={[title, words(lease), ...(lookers.length > 0 ? [t('presence.looking', { names })] : [])].join('\n')}
          className="flex min-w-0 items-center gap-1.5 self-stretch rounded-t-md py-1 pr-1 pl-2.5 focus-visible:-outline-offset-2"
          onClick={onPick}
        >
          <TabMark tab={tab} />
          <bdi className="truncate">{title}</bdi>
          <Lookers people={lookers} />
          {(lease.kind === 'agent' || lease.kind === 'human') && (
            <Icon aria-hidden className="size-3.5 shrink-0 text-lease" />
          )}
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          disabled={!live || !mayOpen}
          title={t('tabs.close', { title })}
          className={cn(
            'grid size-6 shrink-0 disabled:invisible place-items-center rounded-xs text-ink-3 hover:bg-sel hover:text-ink',
            !selected && 'opacity-0 group-hover:opacity-100 pointer-coarse:opacity-100',
          )}
          onClick={onClose}
        >
          <X aria-hidden className="size-3.5" />
        </button>
      </div>
    </TabMenu>
  );
}

/** Avatars on a tab; the title has all names. */
const MOST_LOOKERS = 2;

/** Who else looks at a tab. */
function Lookers({ people }: { people: readonly ParticipantView[] }) {
  if (people.length === 0) return null;
  return (
    <span aria-hidden className="flex shrink-0 items-center [&>*+*]:-ml-1">
      {people.slice(0, MOST_LOOKERS).map((person) => (
        <Avatar key={person.id} person={{ ...person, name: pickedName(person.name) }} size={16} className="ring-1" />
      ))}
      {people.length > MOST_LOOKERS && (
        <span className="ml-0.5! text-2xs text-ink-2 tabular-nums">+{people.length - MOST_LOOKERS}</span>
      )}
    </span>
  );
}

function TabMark({ tab: { health, dialog, url } }: { tab: TabView }) {
  const t = useTranslations('cockpit.tabs');
  if (health.state === 'hung')
    return <Mark icon={<OctagonAlert aria-hidden className="size-4 text-stuck" />} says={t('stuck')} />;
  if (health.state === 'crashed')
    return <Mark icon={<CircleAlert aria-hidden className="size-4 text-stuck" />} says={t('stuck')} />;
  if (dialog || health.state === 'dialog')
    return <Mark icon={<MessageSquareWarning aria-hidden className="size-4 text-help" />} says={t('dialog')} />;
  if (health.state === 'loading')
    return <Mark icon={<LoaderCircle aria-hidden className="size-4 animate-spin" />} says={t('loading')} />;
  return <HostTile url={url} size={15} />;
}

function Mark({ icon, says }: { icon: ReactNode; says: string }) {
  return (
    <span className="shrink-0">
      {icon}
      <span className="sr-only">{says}: </span>
    </span>
  );
}

/** Context menu of a tab: right button, long press or menu key. */
function TabMenu({ tab, title, children }: { tab: TabView; title: string; children: ReactElement }) {
  const t = useTranslations('cockpit.tabs');
  const { session, live } = useCockpit();
  const tabActions = useTabActions();
  const ids = openTabs(session).map(({ id }) => id);
  const place = ids.indexOf(tab.id);
  const copy = async () => {
    if (await writeClipboard(tab.url)) toast.success(t('addressCopied'));
    else toast.message(t('copyFailed'), { description: tab.url.slice(0, 2_000) });
  };
  return (
    <ContextMenu>
      <ContextMenuTrigger>{children}</ContextMenuTrigger>
      <ContextMenuContent aria-label={t('menu', { title })}>
        <ContextMenuItem disabled={!live} onSelect={() => void tabActions.reload(tab.id)}>
          <RotateCw aria-hidden />
          {t('reloadIt')}
        </ContextMenuItem>
        <ContextMenuItem onSelect={() => void copy()}>
          <Copy aria-hidden />
          {t('copyAddress')}
        </ContextMenuItem>
        <ContextMenuSeparator />
        <ContextMenuItem disabled={place === 0} onSelect={() => tabActions.reorder(tab.id, place - 1)}>
          <ArrowLeft aria-hidden />
          {t('moveLeft')}
        </ContextMenuItem>
        <ContextMenuItem disabled={place === ids.length - 1} onSelect={() => tabActions.reorder(tab.id, place + 1)}>
          <ArrowRight aria-hidden />
          {t('moveRight')}
        </ContextMenuItem>
        <ContextMenuSeparator />
        <ContextMenuItem disabled={!live || !tabActions.mayOpen} onSelect={() => void tabActions.close(tab.id)}>
          <X aria-hidden />
          {t('closeIt')}
        </ContextMenuItem>
        {ids.length > 1 && (
          <ContextMenuItem disabled={!live || !tabActions.mayOpen} onSelect={() => void tabActions.closeOthers(tab.id)}>
            <X aria-hidden />
            {t('closeOthers')}
          </ContextMenuItem>
        )}
      </ContextMenuContent>
    </ContextMenu>
  );
}
