'use client';

import { useTranslations } from 'use-intl';
import { useLink } from '@/components/session-client/use-session-client';
import { useCockpit } from './cockpit-context';
import { neighbourTab, openTabs } from './shown-tab';
import { movedTo } from './tab-order';
import { orderTabs } from './use-tab-order';

export interface TabActions {
  /** False for a guest of a share link who may only watch, or who sees one tab. */
  readonly mayOpen: boolean;
  /** Shows a tab here; when this person drives it, it also becomes the active one. */
  readonly pick: (id: string) => void;
  /** Shows the next or previous tab and returns its id. */
  readonly move: (step: 1 | -1) => string | undefined;
  readonly open: () => Promise<boolean>;
  readonly close: (id: string) => Promise<boolean>;
  /** Closes the other tabs one by one; stops at the first failure. */
  readonly closeOthers: (id: string) => Promise<void>;
  readonly reload: (id: string) => Promise<boolean>;
  /** Moves a tab to this place of the strip, in this window only. */
  readonly reorder: (id: string, place: number) => void;
}

/** Commands for tabs, for the strip, the hotkeys and the palette. */
export function useTabActions(): TabActions {
  const t = useTranslations('cockpit.tabs');
  const go = useTranslations('cockpit.address');
  const { session, tab, mine, mayDrive, pickTab, act } = useCockpit();
  const link = useLink();
  const mayOpen = !link || (link.tab === null && mayDrive);
  const pick = (id: string) => {
    pickTab(id);
    const target = session.tabs.find((one) => one.id === id);
    const drivesIt = mine && target?.control.holder?.id === tab?.control.holder?.id;
    if (drivesIt && !target?.active) void act({ kind: 'tab', do: 'focus' }, t('label'), id);
  };
  const move = (step: 1 | -1) => {
    const next = neighbourTab(session, tab?.id, step)?.id;
    if (next !== undefined) pick(next);
    return next;
  };
  const open = () => act({ kind: 'tab', do: 'open' }, t('newFailed'));
  const close = (id: string) => act({ kind: 'tab', do: 'close' }, t('closeFailed'), id);
  const closeOthers = async (id: string) => {
    for (const other of openTabs(session)) if (other.id !== id && !(await close(other.id))) return;
  };
  const reload = (id: string) => act({ kind: 'history', go: 'reload' }, go('goFailed'), id);
  const lay = (id: string, place: number) =>
    orderTabs(
      session.id,
      movedTo(
        openTabs(session).map((one) => one.id),
        id,
        place,
      ),
    );
  return { mayOpen, pick, move, open, close, closeOthers, reload, reorder: lay };
}
