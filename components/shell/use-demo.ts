'use client';

import { useCallback, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useStore } from 'zustand';
import { api } from '@/components/session-client/api';
import { useConnection, useDemoAvailable, useSessions } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask, type Task } from '@/components/ui/use-task';
import { createStore } from 'zustand/vanilla';

interface DemoState {
  readonly running: boolean;
  /** The session that the demo agent drives; undefined until it has opened one. */
  readonly session: string | undefined;
}

const STOPPED: DemoState = { running: false, session: undefined };

/** Of the page: asked anew whenever it may have changed. Only effects and clicks write to it. */
const demoStore = createStore<DemoState>(() => STOPPED);

let asking: Promise<void> | undefined;

let askAgain = false;

export interface Demo {
  readonly available: boolean;
  readonly running: boolean;
  /** The Chrome of its session is gone, so that nothing goes on. */
  readonly stands: boolean;
  /** Id of the session that the demo agent drives, as the server says; undefined until it has opened one. */
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
  const { running, session } = useStore(demoStore);
  const stands = useSessions()?.find(({ id }) => id === session)?.state === 'browser-down';
  const task = useTask();
  useFreshDemo(available, running && session === undefined);
  const { run } = task;
  const start = useCallback(() => void run(() => api.startDemo().finally(() => void refreshDemo())), [run]);
  const stop = useCallback(
    () =>
      void run(async () => {
        try {
          await api.stopDemo();
          toast.success(t('stopped'));
        } catch (thrown) {
          fail(t('stopFailed'), thrown);
        }
        await refreshDemo();
      }),
    [run, t, fail],
  );
  return { available, running, stands, session, task, start, stop };
}

const OPENING_MS = 1_000;

/**
 * Asks again when the line comes back and when sessions come or go: whoever started or stopped it, the list changes
 * with it.
 * @param opening the agent has started, and its session is not known yet
 */
function useFreshDemo(available: boolean, opening: boolean): void {
  const online = useConnection().state === 'online';
  const sessions = useSessions();
  const ids = sessions?.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (available && online) void refreshDemo();
  }, [available, online, ids]);
  useEffect(() => {
    if (!opening) return;
    const timer = setInterval(() => void refreshDemo(), OPENING_MS);
    return () => clearInterval(timer);
  }, [opening]);
}

/** Asks the server how the demo stands, once at a time; what is asked meanwhile is asked once more afterwards. */
function refreshDemo(): Promise<void> {
  if (asking) {
    askAgain = true;
    return asking;
  }
  asking = ask().finally(() => {
    asking = undefined;
    if (!askAgain) return;
    askAgain = false;
    void refreshDemo();
  });
  return asking;
}

/** A question that fails leaves nothing shown: the connection banner says why. */
async function ask(): Promise<void> {
  const state = await api.demoStatus().then(
    (status) => (status.state === 'running' ? { running: true, session: status.session } : STOPPED),
    () => STOPPED,
  );
  demoStore.setState(state);
}
