import { createTranslator } from 'use-intl/core';
import { MESSAGES } from '@/components/messages';
import type { Locale } from '@/components/messages/locale';

/** The texts of the interface in a language, by their keys: `t('cockpit.lease.take')`. */
export function wordsIn(locale: Locale) {
  return createTranslator({ locale, messages: MESSAGES[locale], timeZone: 'UTC' });
}
export type Words = ReturnType<typeof wordsIn>;
