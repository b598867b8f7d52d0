'use client';

import { Keyboard, Languages } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { LOCALES } from '@/components/messages/locale';
import { THEMES } from '@/components/theme/theme-provider';
import { useHotkeys } from './hotkeys';
import { LANGUAGE_NAMES, THEME_ICONS } from './look-menu';
import { Palette } from './palette';
import { openPalette, openShortcuts, type PaletteCommand } from './palette-store';
import { Shortcuts } from './shortcuts';
import { useLanguage } from './use-language';
import { usePaletteCommands } from './use-palette';

const KEYS = { 'Mod+k': openPalette, '?': openShortcuts } as const;

/** The palette, the shortcuts help, and the commands and keys that every page has. */
export function CommonKeys() {
  const t = useTranslations('shell');
  const { setTheme } = useTheme();
  const { locale, switchTo } = useLanguage();
  useHotkeys(KEYS);
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
      <Palette />
      <Shortcuts />
    </>
  );
}
