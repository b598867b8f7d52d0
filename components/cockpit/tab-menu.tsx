'use client';

import { ArrowLeft, ArrowRight, Copy, RotateCw, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import {
  ContextMenu,
  ContextMenuContent,
  ContextMenuItem,
  ContextMenuSeparator,
  ContextMenuTrigger,
} from '@/components/ui/context-menu';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import type { TabView } from '@/lib/protocol/views';
import { useCockpit } from './cockpit-context';
import { openTabs } from './shown-tab';
import { useTabActions } from './use-tab-actions';

/** What can be done with a tab, by the right button, a long press or the menu key on it. */
export function TabMenu({ tab, title, children }: { tab: TabView; title: string; children: ReactElement }) {
  const t = useTranslations('cockpit.tabs');
  const { session, live } = useCockpit();
  const deeds = useTabActions();
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
        <ContextMenuItem disabled={!live} onSelect={() => void deeds.reload(tab.id)}>
          <RotateCw aria-hidden />
          {t('reloadIt')}
        </ContextMenuItem>
        <ContextMenuItem onSelect={() => void copy()}>
          <Copy aria-hidden />
          {t('copyAddress')}
        </ContextMenuItem>
        <ContextMenuSeparator />
        <ContextMenuItem disabled={place === 0} onSelect={() => deeds.lay(tab.id, place - 1)}>
          <ArrowLeft aria-hidden />
          {t('moveLeft')}
        </ContextMenuItem>
        <ContextMenuItem disabled={place === ids.length - 1} onSelect={() => deeds.lay(tab.id, place + 1)}>
          <ArrowRight aria-hidden />
          {t('moveRight')}
        </ContextMenuItem>
        <ContextMenuSeparator />
        <ContextMenuItem disabled={!live} onSelect={() => void deeds.close(tab.id)}>
          <X aria-hidden />
          {t('closeIt')}
        </ContextMenuItem>
        {ids.length > 1 && (
          <ContextMenuItem disabled={!live} onSelect={() => void deeds.closeOthers(tab.id)}>
            <X aria-hidden />
            {t('closeOthers')}
          </ContextMenuItem>
        )}
      </ContextMenuContent>
    </ContextMenu>
  );
}
