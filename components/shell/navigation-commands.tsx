'use client';

import { ArrowLeftRight, LogOut, Settings } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useStore } from 'zustand';
import { accountApi } from '@/components/session-client/account-api';
import { useLink, useRights, useWorkspace } from '@/components/session-client/use-session-client';
import { samePageIn, useWorkspacePath } from '@/components/session-client/workspace';
import { maySee, SETTINGS_NAMES, SETTINGS_PAGES } from './settings-pages';
import { workspaceApi } from '@/components/session-client/workspace-api';
import { useProblemToast } from '@/components/ui/use-problem';
import { useLoaded } from '@/components/use-loaded';
import { paletteStore, type PaletteCommand } from './palette-store';
import { usePaletteCommands } from './use-palette';

/** The commands that lead elsewhere: the pages of the settings that one may see, other workspaces, and out. */
export function NavigationCommands() {
  const open = useStore(paletteStore, (state) => state.open === 'palette');
  // Pages for strangers have no handshake, and nothing else is open to the guests of a share link.
  const guest = useLink() !== undefined;
  const known = useRights() !== undefined && !guest;
  if (!known) return null;
  return (
    <>
      <PageCommands />
      {open && <WorkspaceCommands />}
    </>
  );
}

function PageCommands() {
  const t = useTranslations('shell');
  const nav = useTranslations('settings.nav');
  const rights = useRights();
  const router = useRouter();
  const pathTo = useWorkspacePath();
  const tell = useProblemToast();
  const settings = pathTo('/settings/');
  const commands = useMemo(
    (): PaletteCommand[] => [
      ...SETTINGS_NAMES.filter((name) => maySee(name, rights)).map(
        (name) =>
          ({
            id: `page-${name}`,
            group: 'pages',
            label: `${t('pages')}: ${nav(name)}`,
            icon: Settings,
            run: () => router.push(`${settings}${SETTINGS_PAGES[name]}`),
          }) as const,
      ),
      {
        id: 'sign-out',
        group: 'pages',
        label: t('palette.signOut'),
        icon: LogOut,
        run: () => void signOut().catch((thrown: unknown) => tell(t('palette.signOutFailed'), thrown)),
      },
    ],
    [t, nav, rights, router, settings, tell],
  );
  usePaletteCommands(commands);
  return null;
}

/** Mounted while the palette is open: it loads the list then. */
function WorkspaceCommands() {
  const t = useTranslations('shell.palette');
  const here = useWorkspace()?.id;
  const router = useRouter();
  const { data: all } = useLoaded(workspaceApi.list);
  const commands = useMemo(
    () =>
      (all ?? [])
        .filter(({ id }) => id !== here)
        .map(({ id, name }): PaletteCommand => ({
          id: `workspace-${id}`,
          group: 'pages',
          label: t('workspace', { name }),
          icon: ArrowLeftRight,
          run: () => router.push(samePageIn(id, '')),
        })),
    [all, here, t, router],
  );
  usePaletteCommands(commands);
  return null;
}

/** Ends the sign-in of this browser. */
async function signOut(): Promise<void> {
  const here = (await accountApi.signIns()).find((one) => one.here);
  if (here) await accountApi.endSignIn(here.id);
  window.location.assign('/sign-in');
}
