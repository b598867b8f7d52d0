'use client';

import { Keyboard, Languages } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { LOCALES } from '@/components/messages/locale';
import { THEMES } from '@/components/theme/theme-provider';
import { useHotkeys } from './hotkeys';
import { LANGUAGE_NAMES, THEME_ICONS } from './look-menu';
import { NavigationCommands } from './navigation-commands';
import { Palette } from './palette';
import {
  openPalette,
  openShortcuts,
  type PaletteCommand,
  closePalette,
  paletteStore,
  type ShortcutSection,
} from './palette-store';
import { useNoLostKeys } from './typing';
import { useLanguage } from './use-language';
import { usePaletteCommands } from './use-palette';
import { useStore } from 'zustand';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';

const KEYS = { 'Mod+k': openPalette, '?': openShortcuts } as const;

/** The command palette, the shortcut help, and the commands and hotkeys of all pages. */
export function CommonKeys() {
  const t = useTranslations('shell');
  const { setTheme } = useTheme();
  const { locale, switchTo } = useLanguage();
  useHotkeys(KEYS);
  useNoLostKeys();
  const commands = useMemo(
    (): PaletteCommand[] => [
      ...THEMES.map(
        (name) =>
          ({
            id: `theme-${name}`,
            group: 'appearance',
            label: `${t('theme.label')}: ${t(`theme.${name}`)}`,
            icon: THEME_ICONS[name],
            run: () => setTheme(name),
          }) as const,
      ),
      ...LOCALES.filter((name) => name !== locale).map(
        (name) =>
          ({
            id: `language-${name}`,
            group: 'appearance',
            label: `${t('language')}: ${LANGUAGE_NAMES[name]}`,
            icon: Languages,
            run: () => switchTo(name),
          }) as const,
      ),
      {
        id: 'shortcuts',
        group: 'appearance',
        label: t('shortcuts.open'),
        icon: Keyboard,
        keys: ['?'],
        run: openShortcuts,
      },
    ],
    [t, setTheme, locale, switchTo],
  );
  usePaletteCommands(commands);
  return (
    <>
      <NavigationCommands />
      <Palette />
      <Shortcuts />
    </>
  );
}

/** The shortcut help: shortcuts of all pages, and those that parts of this page added. */
function Shortcuts() {
  const t = useTranslations('shell.shortcuts');
  const open = useStore(paletteStore, (state) => state.open === 'shortcuts');
  const sections = useStore(paletteStore, (state) => state.sections);
  const everywhere = useMemo<ShortcutSection>(
    () => ({
      title: t('everywhere'),
      items: [
        { keys: ['Mod', 'K'], label: t('palette') },
        { keys: ['?'], label: t('help') },
        { keys: ['Esc'], label: t('close') },
      ],
    }),
    [t],
  );
  return (
    <Dialog open={open} onOpenChange={(next) => !next && closePalette()} title={t('title')}>
      <div className="flex flex-col gap-5">
        {[...sections.values(), everywhere].map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </div>
    </Dialog>
  );
}

function Section({ section }: { section: ShortcutSection }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{section.title}</h3>
      <dl className="divide-y divide-line">
        {section.items.map(({ keys, label }) => (
          <div key={label} className="flex h-9 items-center justify-between gap-4">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
