'use client';

import { useTranslations } from 'use-intl';
import { useCockpit } from './cockpit-context';
import { neighbourTab } from './shown-tab';

export interface TabDeeds {
  /** Shows a tab here; for whoever drives it also becomes the active one. */
  readonly pick: (id: string) => void;
  /** Shows the next or previous tab and gives its id. */
  readonly move: (step: 1 | -1) => string | undefined;
  readonly open: () => Promise<boolean>;
  readonly close: (id: string) => Promise<boolean>;
}

/** What can be done with tabs, for the strip, the keys and the palette. */
export function useTabDeeds(): TabDeeds {
  const t = useTranslations('cockpit.tabs');
  const { session, tab, mine, pickTab, act } = useCockpit();
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
  return { pick, move, open, close };
}
