import { en } from './en';
import { cockpitEn } from './en-cockpit';
import type { Locale } from './locale';
import type { Shape } from './shape';
import { zh } from './zh';
import { cockpitZh } from './zh-cockpit';

const english = { ...en, cockpit: cockpitEn } as const;
export type Messages = Shape<typeof english>;

/** Every text of the interface by language. */
export const MESSAGES: Readonly<Record<Locale, Messages>> = { en: english, zh: { ...zh, cockpit: cockpitZh } };

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale;
    /** Keys are checked by the compiler, arguments by messages.test.ts: literal texts here would forbid every translation. */
    Messages: Messages;
  }
}
