'use client';

import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';

/** Starts a new Chrome for a session that lost its own. Shows success and failure as toasts. */
export function useReopenBrowser(session: string): { busy: boolean; revive: () => void } {
  const t = useTranslations('cockpit.down');
  const tell = useProblemToast();
  const { busy, run } = useTask();
  const start = async () => {
    try {
      await api.reviveSession(session);
      toast.success(t('started'));
    } catch (thrown) {
      tell(t('failed'), thrown);
    }
  };
  return { busy, revive: () => void run(start) };
}
