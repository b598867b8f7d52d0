'use client';

import { Footprints, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { useCockpit } from './cockpit-context';
import { openTabs } from './shown-tab';
import { TabItem } from './tab-item';
import { useTabActions } from './use-tab-actions';

/**
 * The tab strip. Arrow keys move to the next tab, with Shift they move the tab, as dragging does; Delete closes it. The
 * close buttons are for the pointer only, because a tab list may contain only tabs.
 */
export function TabStrip() {
  const t = useTranslations('cockpit.tabs');
  const { session, tab: shown, live } = useCockpit();
  const tabActions = useTabActions();
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef<string>(undefined);
  const [said, setSaid] = useState('');
  const tabs = openTabs(session);
  const shownId = shown?.id;
  // Scrolls the shown tab into view. Newer Chromes return a promise, which React must not take for a clean-up function.
  useEffect(() => {
    void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shownId, tabs.length]);
  const move = (step: 1 | -1) => {
    const at = tabs.findIndex(({ id }) => id === shownId) + step;
    if (!shown || at < 0 || at >= tabs.length) return;
    tabActions.reorder(shown.id, at);
    setSaid(t('moved', { title: shown.title || shown.url, place: at + 1, of: tabs.length }));
  };
  /**
   * Moves the dragged tab once the pointer is past the middle of another tab. Tabs differ in width: a swap before the
   * middle would be undone by the next event.
   */
  const draggedOver = (place: number, event: DragEvent) => {
    const from = tabs.findIndex(({ id }) => id === dragged.current);
    if (dragged.current === undefined || from === -1) return;
    event.preventDefault();
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const past = event.clientX - left - width / 2;
    if ((place > from && past > 0) || (place < from && past < 0)) tabActions.reorder(dragged.current, place);
  };
  const onKeys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key === 'Delete' && shown && live && tabActions.mayOpen) void tabActions.close(shown.id);
    if (step === 0) return;
    event.preventDefault();
    if (event.shiftKey) return move(step);
    const next = tabActions.move(step);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next ?? '')}"]`)?.focus();
  };
  return (
    <div className="flex h-[34px] shrink-0 items-end gap-0.5 overflow-x-auto overflow-y-hidden bg-bg px-2 [scrollbar-width:none] pointer-coarse:h-10">
      <div
        ref={list}
        role="tablist"
        aria-label={t('label')}
        className="flex items-end gap-0.5 max-sm:shrink-0"
        onKeyDown={onKeys}
        onDragEnd={() => (dragged.current = undefined)}
      >
        {tabs.map((tab, place) => (
          <TabItem
            key={tab.id}
            tab={tab}
            selected={tab.id === shownId}
            onPick={() => tabActions.pick(tab.id)}
            onClose={() => void tabActions.close(tab.id)}
            onDrag={() => (dragged.current = tab.id)}
            onDraggedOver={(event) => draggedOver(place, event)}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      {tabActions.mayOpen && (
        <IconButton
          label={t('new')}
          size="icon-sm"
          className="mb-0.5"
          disabled={!live}
          onClick={() => void tabActions.open()}
        >
          <Plus aria-hidden />
        </IconButton>
      )}
      <FollowButton />
    </div>
  );
}

/** Appears when the active tab is not the shown one; a press shows it and follows the active tab from then on. */
function FollowButton() {
  const t = useTranslations('cockpit');
  const { session, tab, pickTab } = useCockpit();
  const active = openTabs(session).find((one) => one.id === session.activeTab);
  if (!active || active.id === tab?.id) return null;
  return (
    <Button
      variant="ghost"
      size="sm"
      className="sticky right-0 mb-0.5 ml-auto bg-bg"
      title={t('tabs.follow', { title: active.title || active.url || t('untitled') })}
      onClick={() => pickTab(undefined)}
    >
      <Footprints aria-hidden />
      {t('tabs.followShort')}
    </Button>
  );
}
