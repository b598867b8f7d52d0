'use client';

import { Bot, CirclePlay, CircleStop, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useHotkeys } from '@/components/shell/hotkeys';
import type { PaletteCommand } from '@/components/shell/palette-store';
import { useDemo } from '@/components/shell/use-demo';
import { usePaletteCommands, useShortcutHelp } from '@/components/shell/use-palette';
import { LEASE_ICONS } from '@/components/ui/lease-chip';
import { titleOf } from './entry-text';
import { useMay } from '@/components/session-client/use-session-client';
import { sessionPath } from '@/components/session-client/workspace';
import type { WallDialogs } from './use-wall-dialogs';
import type { WallEntry } from './wall-list';

/** Registers the wall's palette commands, hotkeys and shortcut help. */
export function useWallCommands(
  entries: readonly WallEntry[],
  { create, connect }: Pick<WallDialogs, 'create' | 'connect'>,
): void {
  const t = useTranslations();
  const mayMake = useMay('drive');
  const mayKeys = useMay('keys');
  useHotkeys({ ...(mayMake && { n: create }), ...(mayKeys && { c: () => connect() }) });
  const demo = useDemoCommands();
  const own = useMemo((): PaletteCommand[] => {
    const make = { id: 'new-session', label: t('wall.newSession'), icon: Plus, keys: ['N'], run: create };
    const agent = {
      ...{ id: 'connect-agent', label: t('wall.connect'), icon: Bot, keys: ['C'] },
      keywords: ['key', 'api', 'curl', 'chrome'],
      run: () => connect(),
    };
    const all = [...(mayMake ? [make] : []), ...(mayKeys ? [agent] : [])];
    return all.map((one) => ({ ...one, group: 'actions' }));
  }, [t, create, connect, mayMake, mayKeys]);
  usePaletteCommands(own);
  usePaletteCommands(demo);
  usePaletteCommands(useSessionCommands(entries));
  useShortcutHelp(
    useMemo(
      () => ({
        title: t('shell.shortcuts.onWall'),
        items: [
          { keys: ['←', '↑', '↓', '→'], label: t('shell.shortcuts.move') },
          { keys: ['Enter'], label: t('shell.shortcuts.openCard') },
          { keys: ['W'], label: t('shell.shortcuts.lease') },
          { keys: ['R'], label: t('shell.shortcuts.rename') },
          { keys: ['Del'], label: t('shell.shortcuts.end') },
          { keys: ['/'], label: t('shell.shortcuts.search') },
          { keys: ['N'], label: t('shell.shortcuts.newSession') },
          { keys: ['C'], label: t('wall.connect') },
        ],
      }),
      [t],
    ),
  );
}

function useSessionCommands(entries: readonly WallEntry[]): readonly PaletteCommand[] {
  const router = useRouter();
  return useMemo(
    () =>
      entries.map((entry) => ({
        id: `session-${entry.session.id}`,
        group: 'sessions' as const,
        label: titleOf(entry),
        icon: LEASE_ICONS[entry.lease.kind],
        keywords: [entry.session.name, entry.lease.values.name, entry.tab?.url ?? ''],
        run: () => router.push(sessionPath(entry.session.id)),
      })),
    [entries, router],
  );
}

function useDemoCommands(): readonly PaletteCommand[] {
  const t = useTranslations('demo');
  const { available, running, start, stop } = useDemo();
  return useMemo(() => {
    if (running) return [{ id: 'demo-stop', group: 'actions', label: t('stop'), icon: CircleStop, run: stop }];
    return available ? [{ id: 'demo-start', group: 'actions', label: t('start'), icon: CirclePlay, run: start }] : [];
  }, [t, available, running, start, stop]);
}
