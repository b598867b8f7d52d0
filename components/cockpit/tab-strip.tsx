'use client';

import { CircleAlert, Footprints, LoaderCircle, MessageSquareWarning, OctagonAlert, Plus, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { HostTile } from '@/components/ui/host-tile';
import { IconButton } from '@/components/ui/icon-button';
import { useWheelWords, WHEEL_ICONS } from '@/components/ui/wheel-chip';
import { sessionWheel, tabWheel } from '@/components/wheel-state';
import type { TabView } from '@/lib/protocol/views';
import { useCockpit } from './cockpit-context';
import { openTabs } from './shown-tab';
import { useTabDeeds } from './use-tab-deeds';

/** The id of what the tabs control. */
export const PAGE_PANEL = 'page-panel';

/**
 * The tabs of the session. Arrows move, Delete closes; each says when it is stuck, busy or asks something.
 * The closing crosses are for the pointer only: a tab list may hold nothing but tabs.
 */
export function TabStrip() {
  const t = useTranslations('cockpit.tabs');
  const { session, tab: shown, live } = useCockpit();
  const deeds = useTabDeeds();
  const list = useRef<HTMLDivElement>(null);
  const tabs = openTabs(session);
  const shownId = shown?.id;
  // Among many the shown one is in view, whoever brought it to the front. Newer Chromes answer with a promise, which React must not take for a clean-up.
  useEffect(() => {
    void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shownId, tabs.length]);
  const onKeys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key === 'Delete' && shown && live) void deeds.close(shown.id);
    if (step === 0) return;
    event.preventDefault();
    const next = deeds.move(step);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next ?? '')}"]`)?.focus();
  };
  return (
    <div className="flex h-[34px] shrink-0 items-end gap-0.5 overflow-x-auto overflow-y-hidden bg-bg px-2 [scrollbar-width:none] pointer-coarse:h-10">
      <div ref={list} role="tablist" aria-label={t('label')} className="flex items-end gap-0.5 max-sm:shrink-0" onKeyDown={onKeys}>
        {tabs.map((tab) => (
          <TabItem key={tab.id} tab={tab} selected={tab.id === shown?.id} onPick={() => deeds.pick(tab.id)} onClose={() => void deeds.close(tab.id)} />
        ))}
      </div>
      <IconButton label={t('new')} size="icon-sm" className="mb-0.5" disabled={!live} onClick={() => void deeds.open()}>
        <Plus aria-hidden />
      </IconButton>
      <FollowButton />
    </div>
  );
}

/** Something is done in another tab than the one looked at: leads there, and along with it from then on. */
function FollowButton() {
  const t = useTranslations('cockpit');
  const { session, tab, pickTab } = useCockpit();
  const active = openTabs(session).find((one) => one.id === session.activeTab);
  if (!active || active.id === tab?.id) return null;
  return (
    <Button variant="ghost" size="sm" className="sticky right-0 mb-0.5 ml-auto bg-bg" title={t('tabs.follow', { title: active.title || active.url || t('untitled') })} onClick={() => pickTab(undefined)}>
      <Footprints aria-hidden />
      {t('tabs.followShort')}
    </Button>
  );
}

interface TabItemProps {
  tab: TabView;
  selected: boolean;
  onPick: () => void;
  onClose: () => void;
}

function TabItem({ tab, selected, onPick, onClose }: TabItemProps) {
  const t = useTranslations('cockpit');
  const { session, you, live } = useCockpit();
  const title = tab.title || tab.url || t('untitled');
  // Without a browser nobody drives any tab.
  const wheel = live ? tabWheel(tab, you?.id) : sessionWheel(session, you?.id);
  const words = useWheelWords();
  const Icon = WHEEL_ICONS[wheel.kind];
  return (
    <div
      data-wheel={wheel.kind}
      className={cn(
        'group relative flex h-[30px] max-w-52 min-w-30 items-center max-sm:max-w-40 max-sm:shrink-0 rounded-t-md pr-1 text-ink-2 pointer-coarse:h-9',
        selected ? 'bg-panel font-medium text-ink' : 'hover:bg-hover',
        wheel.kind === 'stuck' && 'text-stuck',
        wheel.kind === 'help' && 'text-help',
      )}
    >
      {wheel.kind !== 'idle' && <span aria-hidden className={cn('absolute inset-x-2 top-0 rounded-full bg-wheel', selected ? 'h-0.5' : 'h-px')} />}
      <button
        type="button"
        role="tab"
        id={`tab-${tab.id}`}
        data-tab={tab.id}
        aria-selected={selected}
        aria-controls={PAGE_PANEL}
        aria-keyshortcuts="Delete"
        tabIndex={selected ? 0 : -1}
        title={`${title}\n${words(wheel)}`}
        className="flex min-w-0 items-center gap-1.5 self-stretch rounded-t-md py-1 pr-1 pl-2.5 focus-visible:-outline-offset-2"
        onClick={onPick}
      >
        <TabMark tab={tab} />
        <bdi className="truncate">{title}</bdi>
        {(wheel.kind === 'agent' || wheel.kind === 'human') && <Icon aria-hidden className="size-3.5 shrink-0 text-wheel" />}
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        disabled={!live}
        title={t('tabs.close', { title })}
        className={cn('grid size-6 shrink-0 disabled:invisible place-items-center rounded-xs text-ink-3 hover:bg-sel hover:text-ink', !selected && 'opacity-0 group-hover:opacity-100 pointer-coarse:opacity-100')}
        onClick={onClose}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}

function TabMark({ tab: { health, dialog, url } }: { tab: TabView }) {
  const t = useTranslations('cockpit.tabs');
  if (health.state === 'hung') return <Mark icon={<OctagonAlert aria-hidden className="size-4 text-stuck" />} says={t('stuck')} />;
  if (health.state === 'crashed') return <Mark icon={<CircleAlert aria-hidden className="size-4 text-stuck" />} says={t('stuck')} />;
  if (dialog || health.state === 'dialog') return <Mark icon={<MessageSquareWarning aria-hidden className="size-4 text-help" />} says={t('dialog')} />;
  if (health.state === 'loading') return <Mark icon={<LoaderCircle aria-hidden className="size-4 animate-spin" />} says={t('loading')} />;
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
