'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { handsBackTo } from '@/components/lease-state';
import { drivenHere } from '@/components/cockpit/driven-here';
import { useRequest } from '@/components/session-client/use-session-client';
import { sessionPath } from '@/components/session-client/workspace';
import { toast } from '@/components/ui/toast';
import { writeClipboard } from '@/components/ui/use-copy';
import { useProblemToast } from '@/components/ui/use-problem';
import { titleOf } from './entry-text';
import type { WallEntry } from './wall-list';

export interface WallActions {
  open: (entry: WallEntry) => void;
  /** Takes the lease; with `then: 'open'` the cockpit opens. */
  take: (entry: WallEntry, then?: 'open') => Promise<void>;
  handBack: (entry: WallEntry) => Promise<void>;
  /** Hands the lease back when this person holds it, else takes it. */
  toggleLease: (entry: WallEntry) => Promise<void>;
  copyLink: (entry: WallEntry) => Promise<void>;
}

/** Commands of a card that stay on the wall. Failures are shown as toasts. */
export function useWallActions(): WallActions {
  const router = useRouter();
  const send = useRequest();
  const t = useTranslations();
  const fail = useProblemToast();
  return useMemo(() => {
    const open = (entry: WallEntry) => router.push(sessionPath(entry.session.id));
    const control = async (entry: WallEntry, what: 'take' | 'hand-back' | 'release') => {
      if (!entry.tab) return;
      await send('control', { session: entry.session.id, tab: entry.tab.id, do: what });
    };
    const take: WallActions['take'] = async (entry, then) => {
      try {
        await control(entry, 'take');
        drivenHere(entry.session.id, true);
        if (then === 'open') open(entry);
        else toast.success(t('lease.taken', { session: titleOf(entry) }));
      } catch (thrown) {
        fail(t('wall.control.failedTake'), thrown);
      }
    };
    const handBack: WallActions['handBack'] = async (entry) => {
      try {
        const you = entry.tab?.control.holder?.id;
        await control(entry, handsBackTo(entry.session, entry.tab, you) ? 'hand-back' : 'release');
        toast.success(t('lease.handedBack', { session: titleOf(entry) }));
      } catch (thrown) {
        fail(t('wall.control.failedBack'), thrown);
      }
    };
    const copyLink: WallActions['copyLink'] = async (entry) => {
      const done = await writeClipboard(new URL(sessionPath(entry.session.id), window.location.origin).href);
      if (done) toast.success(t('wall.card.linkCopied'));
      else toast.error(t('common.copyFailed'));
    };
    return {
      open,
      take,
      handBack,
      copyLink,
      toggleLease: (entry) => (entry.lease.mine ? handBack(entry) : take(entry)),
    };
  }, [router, send, t, fail]);
}
