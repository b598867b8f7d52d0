'use client';

import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { placeOf } from '@/components/address';
import { closeValueGaps } from './gap';
import type { Message } from '@/lib/messages/message';
import { sessionNameMessage } from '@/lib/messages/session-name';

/**
 * Puts a server message into the reader's language, with addresses shortened to host and path. May contain page-made
 * text: put it in a `<bdi>`.
 */
export function useMessageText(): (said: Message) => string {
  const t = useTranslations('said');
  const event = useTranslations('event');
  const flood = useTranslations('flood');
  const role = useTranslations('personRole');
  const factor = useTranslations('factor');
  const scope = useTranslations('keyScope');
  return useCallback(
    (said) => {
      const { code, ...given } = said;
      const values = {
        ...given,
        ...('flood' in given && { flood: flood(given.flood) }),
        ...('role' in given && { role: role(given.role) }),
        ...('before' in given && { before: role(given.before) }),
        ...('factor' in given && { factor: factor(given.factor) }),
        ...('scope' in given && { scope: scope(given.scope) }),
      };
      if ('url' in given) return closeValueGaps(t(code, { ...values, url: placeOf(given.url) ?? event('blank') }));
      const named = code === 'sessionMade' ? sessionNameMessage(said.name) : undefined;
      return closeValueGaps(t(code, named ? { name: t(named.code, { ...named }) } : { ...values }));
    },
    [t, event, flood, role, factor, scope],
  );
}
