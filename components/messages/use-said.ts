'use client';

import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { placeOf } from '@/components/address';
import type { Said } from '@/lib/said/said';

/** Puts what the server says into the reader's language; addresses in it without what is long and seldom for people. May hold page-made text: put it in a `<bdi>`. */
export function useSaid(): (said: Said) => string {
  const t = useTranslations('said');
  const event = useTranslations('event');
  return useCallback(
    (said) => {
      const { code, ...values } = said;
      return t(code, 'url' in values ? { ...values, url: placeOf(values.url) ?? event('blank') } : { ...values });
    },
    [t, event],
  );
}
