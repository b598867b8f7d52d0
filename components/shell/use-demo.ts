'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '@/components/room/api';
import { useDemoAvailable, useSessions } from '@/components/room/use-room';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask, type Task } from '@/components/ui/use-task';

export interface Demo {
  readonly available: boolean;
  /** Id of the session that the demo agent drives, as the server says. */
  readonly session: string | undefined;
  readonly task: Task;
  start: () => void;
  stop: () => void;
}

/** The bundled demo: whether it can be started, whether it runs, and the two buttons. */
export function useDemo(): Demo {
  const t = useTranslations('demo');
  const fail = useProblemToast();
  const available = useDemoAvailable();
  const sessions = useSessions();
  const session = useMemo(() => sessions?.find((each) => each.demo === true)?.id, [sessions]);
  const task = useTask();
  const start = () => void task.run(() => api.startDemo());
  const stop = () => void task.run(() => api.stopDemo().then(() => toast.success(t('stopped')), (thrown: unknown) => fail(t('stopFailed'), thrown)));
  return { available, session, task, start, stop };
}
