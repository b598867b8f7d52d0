'use client';

import { useMemo, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { MESSAGES } from '.';
import type { Locale } from './locale';

/** Provides `useTranslations` in one language. */
export function MessagesProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const timeZone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <IntlProvider locale={locale} messages={MESSAGES[locale]} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}
