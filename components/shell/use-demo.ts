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

/** State of the demo in this page, fetched again whenever it may have changed. Only effects and clicks write to it. */
const demoStore = createStore<DemoState>(() => STOPPED);

let asking: Promise<void> | undefined;

let askAgain = false;

export interface Demo {
  readonly available: boolean;
  readonly running: boolean;
  /** True when the Chrome of its session is gone, so that the demo stands still. */
  readonly stands: boolean;
  /** Id of the demo agent's session, from the server; undefined until the agent has opened one. */
  readonly session: string | undefined;
  readonly task: Task;
  start: () => void;
  stop: () => void;
}

/** The bundled demo: whether it is available, its state, and its commands. */
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
 * Fetches the demo's state again after a reconnect and when sessions come or go: whoever starts or stops the demo
 * changes that list.
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

/** Fetches the demo's state, one request at a time; calls meanwhile lead to one more request. */
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

/** Shows no demo when the request fails; the connection banner says why. */
async function ask(): Promise<void> {
  const state = await api.demoStatus().then(
    (status) => (status.state === 'running' ? { running: true, session: status.session } : STOPPED),
    () => STOPPED,
  );
  demoStore.setState(state);
}
