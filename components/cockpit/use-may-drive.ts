'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useLink, useRights, useYou } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import type { SessionView } from '@/lib/protocol/views';

/**
 * Whether this person may drive in a session, as the server says of each participant; true until it says so. Tells them
 * at once when they may not any more, or may again, and why (AU3).
 */
export function useMayDrive(session: SessionView | undefined): boolean {
  const you = useYou()?.id;
  const mayDrive = session?.participants.find(({ id }) => id === you)?.grants.includes('drive');
  const t = useTranslations('rights.watch');
  const roles = useTranslations('personRole');
  const role = useRights()?.role;
  const guest = useLink() !== undefined;
  const before = useRef<boolean>(undefined);
  const tell = useEffectEvent(() => {
    const id = `rights ${session?.id}`;
    if (mayDrive) toast.success(t(guest ? 'givenLink' : 'given'), { id });
    else
      toast.warning(t('taken'), {
        id,
        duration: 15_000,
        description: guest
          ? t('takenLink')
          : role === 'viewer'
            ? t('takenRole', { role: roles(role) })
            : t('takenSession'),
      });
  });
  useEffect(() => {
    // Before the join the list of participants may lack this person.
    if (mayDrive === undefined) return;
    if (before.current !== undefined && before.current !== mayDrive) tell();
    before.current = mayDrive;
  }, [mayDrive]);
  return mayDrive ?? true;
}
