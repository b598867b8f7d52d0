'use client';

import { Bell, Contrast, Keyboard, Monitor, Moon, Settings, Sun, Volume2 } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { isLocale, LOCALES, type Locale } from '@/components/messages/locale';
import { noticesAllowed, useCallNotices, useCallSound } from '@/components/help/call-settings';
import { useLinkId, useWorkspacePath } from '@/components/session-client/workspace';
import { THEMES } from '@/components/theme/theme-provider';
import { IconButton } from '@/components/ui/icon-button';
import {
  Menu,
  MenuCheckItem,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/menu';
import { openShortcuts } from './palette-store';
import { useLanguage } from './use-language';

export const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

/** Name of each language in that language, so that all readers can find theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', zh: '简体中文' };

/**
 * Menu for theme, language, notifications and the shortcut help; `settings`: with the way to the settings, which phones
 * have only here.
 */
export function LookMenu({ settings = false }: { settings?: boolean }) {
  const t = useTranslations('shell');
  const guest = useLinkId() !== undefined;
  return (
    <Menu>
      <MenuTrigger>
        <IconButton label={t('settings')}>
          <Contrast aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        {settings && <SettingsItem />}
        <ThemeItems />
        <MenuSeparator />
        <LanguageItems />
        <MenuSeparator />
        {!guest && (
          <>
            <CallItems />
            <MenuSeparator />
          </>
        )}
        <MenuItem onSelect={openShortcuts}>
          <Keyboard aria-hidden />
          {t('shortcuts.open')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

function SettingsItem() {
  const t = useTranslations('shell');
  const router = useRouter();
  const pathTo = useWorkspacePath();
  return (
    <>
      <MenuItem onSelect={() => router.push(pathTo('/settings/account'))}>
        <Settings aria-hidden />
        {t('pages')}
      </MenuItem>
      <MenuSeparator />
    </>
  );
}

function ThemeItems() {
  const t = useTranslations('shell.theme');
  const { theme = 'system', setTheme } = useTheme();
  return (
    <MenuRadioGroup value={theme} onValueChange={setTheme}>
      <MenuLabel>{t('label')}</MenuLabel>
      {THEMES.map((name) => {
        const Icon = THEME_ICONS[name];
        return (
          <MenuRadioItem key={name} value={name}>
            <Icon aria-hidden />
            {t(name)}
          </MenuRadioItem>
        );
      })}
    </MenuRadioGroup>
  );
}

/** Switches for the sound and the notifications of help requests; both are off by default. */
function CallItems() {
  const t = useTranslations('question');
  const sound = useCallSound();
  const notices = useCallNotices();
  const allowed = noticesAllowed();
  return (
    <>
      <MenuLabel>{t('calls')}</MenuLabel>
      <MenuCheckItem checked={sound.on} onCheckedChange={sound.set}>
        <Volume2 aria-hidden />
        {t('sound')}
      </MenuCheckItem>
      {allowed !== undefined && (
        <MenuCheckItem checked={notices.on} disabled={allowed === 'denied'} onCheckedChange={notices.set}>
          <Bell aria-hidden />
          {t(allowed === 'denied' ? 'noticesBlocked' : 'notices')}
        </MenuCheckItem>
      )}
    </>
  );
}

function LanguageItems() {
  const t = useTranslations('shell');
  const { locale, switchTo } = useLanguage();
  return (
    <MenuRadioGroup value={locale} onValueChange={(value) => isLocale(value) && switchTo(value)}>
      <MenuLabel>{t('language')}</MenuLabel>
      {LOCALES.map((name) => (
        <MenuRadioItem key={name} value={name} lang={name}>
          {LANGUAGE_NAMES[name]}
        </MenuRadioItem>
      ))}
    </MenuRadioGroup>
  );
}
