'use client';

import { useRights } from '@/components/session-client/use-session-client';
import type { RightsView } from '@/lib/protocol/catalog';

/** The pages of the settings with the last word of their address. */
export const SETTINGS_PAGES = {
  account: 'account',
  general: 'workspace',
  people: 'people',
  keys: 'keys',
  log: 'log',
  about: 'about',
} as const;
export type SettingsPageName = keyof typeof SETTINGS_PAGES;
export const SETTINGS_NAMES: readonly SettingsPageName[] = ['account', 'general', 'people', 'keys', 'log', 'about'];

/**
 * Whether a person sees a page of the settings; before the first handshake only what everybody sees. A hint for the
 * interface only: the server decides.
 */
export function maySee(page: SettingsPageName, rights: RightsView | undefined): boolean {
  if (page === 'account') return true;
  if (page === 'general') return rights?.withheld !== 'SECOND_FACTOR_NEEDED';
  if (page === 'about') return rights?.server === true;
  return rights?.grants.includes(page === 'keys' ? 'keys' : 'manage') === true;
}

/** Whether this person sees a page of the settings. */
export function useMaySee(): (page: SettingsPageName) => boolean {
  const rights = useRights();
  return (page) => maySee(page, rights);
}
