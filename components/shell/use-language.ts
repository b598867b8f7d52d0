'use client';

import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { useLocale } from 'use-intl';
import { LOCALE_COOKIE, type Locale } from '@/components/messages/locale';

const YEAR_SECONDS = 31_536_000;

/** The page's language, and a function that changes it. A cookie keeps the choice, which the layout reads. */
export function useLanguage(): { locale: Locale; switchTo: (locale: Locale) => void } {
  const router = useRouter();
  const locale = useLocale();
  const switchTo = useCallback(
    (next: Locale) => {
      document.cookie = `${LOCALE_COOKIE}=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
      router.refresh();
    },
    [router],
  );
  return { locale, switchTo };
}
