'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useRights, useYou } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import type { SessionView } from '@/lib/protocol/views';

/** Whether this person may drive in a session: the server says so of each participant. */
export function useMayDrive(session: SessionView | undefined): boolean {
  const you = useYou();
  const here = session?.participants.find(({ id }) => id === you?.id);
  return (here ?? you)?.grants.includes('drive') !== false;
}

/** Tells a person at once when they may not drive any more, or may again, and why (AU3). */
export function useToldOfRights(session: SessionView | undefined, mayDrive: boolean): void {
  const t = useTranslations('rights.watch');
  const roles = useTranslations('personRole');
  const role = useRights()?.role;
  const before = useRef<boolean>(undefined);
  const tell = useEffectEvent(() => {
    const id = `rights ${session?.id}`;
    if (mayDrive) toast.success(t('given'), { id });
    else
      toast.warning(t('taken'), {
        id,
        duration: 15_000,
        description: role === 'viewer' ? t('takenRole', { role: roles(role) }) : t('takenSession'),
      });
  });
  const known = session !== undefined;
  useEffect(() => {
    if (!known) return;
    if (before.current !== undefined && before.current !== mayDrive) tell();
    before.current = mayDrive;
  }, [known, mayDrive]);
}
