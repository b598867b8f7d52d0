'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { useCockpit } from './cockpit-context';
import { useAttempt } from './use-attempt';

/** Why, for the others, and when it ends. */
interface PrivateOptions {
  readonly reason?: string;
  readonly until?: 'field' | 'ended';
}

/** Asks the server to hold the shown tab privately, or to show it again. Failures are told. */
export function usePrivate(): {
  busy: boolean;
  hold: (wish: PrivateOptions) => Promise<boolean>;
  end: () => Promise<boolean>;
} {
  const t = useTranslations('cockpit.private');
  const room = useSessionClient();
  const attempt = useAttempt();
  const { session, tab } = useCockpit();
  const [busy, setBusy] = useState(false);
  const ask = async (wish: PrivateOptions & { private: boolean }, failed: string): Promise<boolean> => {
    if (!tab || busy) return false;
    setBusy(true);
    const worked = await attempt(
      room.request('control', { session: session.id, tab: tab.id, do: 'take', ...wish }),
      failed,
    );
    setBusy(false);
    return worked;
  };
  return {
    busy,
    hold: (wish) => ask({ ...wish, private: true }, t('failed')),
    end: () => ask({ private: false }, t('endFailed')),
  };
}
